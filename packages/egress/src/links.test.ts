import { createEgress } from './index.js';
import { startCountingServer } from './testing/counting-server.js';

it.each([
  ['</api/v3/things?page=2>; rel="next"', '<https://api.example/things?page=2>; rel="next"'],
  ['<?page=2>; rel="next"', '<https://api.example/things?page=2>; rel="next"'],
  [
    '<http://127.0.0.1:{port}/api/v3/a,b>; rel="next", </x>',
    '<https://api.example/a,b>; rel="next", <http://127.0.0.1:{port}/x>',
  ],
  ['<https://api.example/things?page=2>; rel="next"', '<https://api.example/things?page=2>; rel="next"'],
  ['<https://other.example/>; rel="next"', '<https://other.example/>; rel="next"'],
  ['<http://>; rel="next"', '<http://>; rel="next"'],
])('hands on the link %s of a mapped server as %s', async (sent, meant) => {
  const server = await startCountingServer((_, res) => void res.writeHead(200, { link: fill(sent) }).end());
  const fill = (link: string): string => link.replaceAll('{port}', String(server.port));
  const target = `http://127.0.0.1:${server.port}/api/v3`;
  const egress = createEgress({ originMap: { 'https://api.example': target, 'https://plain.example': target } });
  const { headers } = await egress.sendFor('t')({ method: 'GET', url: 'https://api.example/things?page=1' });
  expect(headers['link']).toBe(fill(meant));
  await egress.close();
  await server.close();
});

it('leaves the links of everybody else as they are', async () => {
  const link = '</api/v3/things?page=2>; rel="next"';
  const server = await startCountingServer((_, res) => void res.writeHead(200, { link }).end());
  const egress = createEgress({ allow: [`127.0.0.1:${server.port}`] });
  const { headers } = await egress.sendFor('t')({ method: 'GET', url: `http://127.0.0.1:${server.port}/` });
  expect(headers['link']).toBe(link);
  await egress.close();
  await server.close();
});
