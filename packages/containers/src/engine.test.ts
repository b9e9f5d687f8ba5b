import { ContainerError } from './container-error.js';
import { explainEngineError, toConnection } from './engine.js';
import { SUBNETS, subnetOf } from './sandbox-range.js';

it.each([
  ['', { socketPath: '/var/run/docker.sock' }],
  ['unix:///run/user/1000/docker.sock', { socketPath: '/run/user/1000/docker.sock' }],
  ['tcp://engine:2375', { protocol: 'http', host: 'engine', port: 2375 }],
  ['tcp://10.0.0.1', { protocol: 'http', host: '10.0.0.1', port: 2375 }],
])('reads DOCKER_HOST=%s', (host, connection) => {
  expect(toConnection(host)).toEqual(connection);
});

it.each(['http://engine', 'engine:2375', 'unix://relative', 'ssh://engine', 'tcp://'])(
  'refuses DOCKER_HOST=%s',
  (host) => {
    expect(() => toConnection(host)).toThrow(`DOCKER_HOST must be unix:///path or tcp://host:port (got ${host}).`);
  },
);

it('explains what an operator can do', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(explainEngineError(refused, 'image')).toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining('none answers (ECONNREFUSED). On the machine of the execution service, start one'),
  });
  const missing = Object.assign(new Error('No such image: image'), { statusCode: 404 });
  expect(explainEngineError(missing, 'image')).toMatchObject({ code: 'IMAGE_MISSING' });
  const own = new ContainerError('CANCELLED', 'x');
  expect(explainEngineError(own, '')).toBe(own);
});

it('divides its range of addresses into subnets', () => {
  expect([subnetOf(0), subnetOf(1), subnetOf(SUBNETS - 1)]).toEqual([
    '198.18.0.0/29',
    '198.18.0.8/29',
    '198.19.255.248/29',
  ]);
});
