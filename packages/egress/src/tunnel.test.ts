import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createEgress } from './egress.js';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const signal = new AbortController().signal;

it('opens a tunnel to an allowed address, and passes bytes unchanged', async () => {
  const socket = await createEgress({ allow: ['127.0.0.1'] }).openTunnel('org', `https://127.0.0.1:${port}`, signal);
  socket.write('ping');
  expect(String((await once(socket, 'data'))[0])).toBe('ping');
  socket.destroy();
});

it('refuses private addresses, names that resolve to them, and the gateway itself', async () => {
  const resolve = async (): Promise<string[]> => ['10.0.0.1'];
  const closed = createEgress({ resolve });
  for (const host of [`127.0.0.1:${port}`, 'localhost', '169.254.169.254', '[::ffff:10.0.0.1]', 'inside.example']) {
    await expect(closed.openTunnel('org', `https://${host}`, signal)).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
  }
  const own = { baseUrl: `http://127.0.0.1:${port}`, others: [], port: 0 };
  const gateway = createEgress({ allow: ['127.0.0.1'], own });
  await expect(gateway.openTunnel('org', `https://127.0.0.1:${port}`, signal)).rejects.toThrow("gateway's own address");
});

it('refuses a range that is never reachable, although it is allowed', async () => {
  const egress = createEgress({ allow: ['127.0.0.0/8', 'localhost'], never: ['127.0.0.0/8', '::1/128'] });
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `https://${host}:${port}`;
    await expect(egress.openTunnel('org', url, signal)).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    const sent = egress.sendFor('org')({ method: 'GET', url });
    await expect(sent).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
  }
});

it('applies ORIGIN_MAP, and refuses a target without encryption', async () => {
  const originMap = {
    'https://a.example': `https://127.0.0.1:${port}`,
    'https://b.example': `http://127.0.0.1:${port}`,
  };
  const egress = createEgress({ originMap });
  (await egress.openTunnel('org', 'https://a.example', signal)).destroy();
  await expect(egress.openTunnel('org', 'https://b.example', signal)).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
});

it('counts open tunnels towards the requests of a tenant', async () => {
  const egress = createEgress({ allow: ['127.0.0.1'] });
  const open = (tenant: string, within = signal) => egress.openTunnel(tenant, `https://127.0.0.1:${port}`, within);
  const all = await Promise.all(Array.from({ length: 100 }, () => open('org')));
  await expect(open('org', AbortSignal.timeout(200))).rejects.toMatchObject({ name: 'EgressError' });
  (await open('other')).destroy();
  all[0]?.destroy();
  const next = await open('org');
  for (const socket of [...all, next]) socket.destroy();
});
