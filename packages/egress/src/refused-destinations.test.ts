import { type EgressOptions } from './egress.js';
import { createEgress } from './index.js';
import { recordingConnect, startCountingServer, type CountingServer } from './testing/counting-server.js';
import { LOOPBACK_FORMS } from './testing/loopback-forms.js';
import { INVALID_URLS, PUBLIC_ADDRESSES, REFUSED_ADDRESSES } from './testing/refused-addresses.js';
import { REFUSED_NAMES } from './testing/refused-names.js';

let server: CountingServer;

beforeEach(async () => {
  server = await startCountingServer();
});
afterEach(() => server.close());

async function outcome(url: string, options: EgressOptions = {}): Promise<unknown> {
  const egress = createEgress(options);
  const result = await egress
    .sendFor('acme')({ method: 'GET', url })
    .then(
      ({ status }) => status,
      ({ code, sent }) => ({ code, sent }),
    );
  await egress.close();
  return result;
}

describe('a form of this machine', () => {
  it.each(LOOPBACK_FORMS)('$url reaches no server', async ({ url }) => {
    expect(await outcome(url.replace('{port}', String(server.port)))).toEqual({ code: 'EGRESS_DENIED', sent: false });
    expect(server.connections()).toBe(0);
  });

  it.each(LOOPBACK_FORMS.filter(({ reaches }) => reaches))('$url would reach it without the guard', async ({ url }) => {
    expect(await outcome(url.replace('{port}', String(server.port)), { allow: ['0.0.0.0/0'] })).toBe(200);
    expect(server.connections()).toBe(1);
  });
});

describe('an address that is not public', () => {
  it.each(REFUSED_ADDRESSES)('%s (%s) is never connected to', async (host) => {
    const { connect, addresses } = recordingConnect(server.port);
    expect(await outcome(`http://${host}/`, { connect })).toEqual({ code: 'EGRESS_DENIED', sent: false });
    expect(await outcome(`https://${host}:8443/`, { connect })).toEqual({ code: 'EGRESS_DENIED', sent: false });
    expect(addresses).toEqual([]);
  });

  it.each(PUBLIC_ADDRESSES)('its public neighbour %s is', async (host) => {
    const { connect, addresses } = recordingConnect(server.port);
    expect(await outcome(`http://${host}/`, { connect })).toBe(200);
    expect(addresses).toEqual([host.replace(/[[\]]/g, '')]);
  });
});

describe('a check without a request', () => {
  const egress = createEgress({
    allow: ['10.1.0.0/16'],
    originMap: { 'https://mapped.example': `http://127.0.0.1:1/x` },
  });

  it.each([...REFUSED_ADDRESSES.map(([host]) => `https://${host}/`), 'https://localhost/', 'https://a.localhost./'])(
    '%s is refused as it would be',
    (url) => expect(() => egress.requireReachable(url)).toThrow(expect.objectContaining({ code: 'EGRESS_DENIED' })),
  );

  it.each(INVALID_URLS)('%j is no URL to send to', (url) => {
    expect(() => egress.requireReachable(url)).toThrow(expect.objectContaining({ code: 'INVALID_URL' }));
  });

  it.each([
    ' https://a.example/',
    'https://a.example/ ',
    'https://a.ex\r\nample/',
    'https://a.example/\tb',
    '\0https://a.example/',
  ])('%j is refused, because it is not a normalized URL', (url) =>
    expect(() => egress.requireReachable(url)).toThrow(expect.objectContaining({ code: 'INVALID_URL' })),
  );

  it.each([
    ...PUBLIC_ADDRESSES.map((host) => `https://${host}/`),
    'https://10.1.2.3/',
    'https://mapped.example/',
    'https://a.name.example/',
  ])('%s is not', (url) => expect(egress.requireReachable(url)).toBeUndefined());
});

describe('a URL that is not one', () => {
  it.each(INVALID_URLS)('%j is refused before anything is resolved', async (url) => {
    const { connect, addresses } = recordingConnect(server.port);
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ['8.8.8.8'];
    };
    expect(await outcome(url, { connect, resolve })).toEqual({ code: 'INVALID_URL', sent: false });
    expect([asked, addresses]).toEqual([[], []]);
  });
});

describe('a name', () => {
  it.each(REFUSED_NAMES)('%s that resolves to %j is never connected to', async (name, answers) => {
    const { connect, addresses } = recordingConnect(server.port);
    const resolve = async () => answers;
    expect(await outcome(`http://${name}/`, { connect, resolve })).toEqual({ code: 'EGRESS_DENIED', sent: false });
    expect(addresses).toEqual([]);
  });

  it('of localhost is never resolved by DNS', async () => {
    const { connect, addresses } = recordingConnect(server.port);
    const resolve = async () => ['8.8.8.8'];
    expect(await outcome('http://a.localhost/', { connect, resolve })).toEqual({ code: 'EGRESS_DENIED', sent: false });
    expect(addresses).toEqual([]);
  });
});
