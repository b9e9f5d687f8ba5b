import { type RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { type EgressOptions } from './egress.js';
import { createEgress } from './index.js';
import { recordingConnect, startCountingServer, type CountingServer } from './testing/counting-server.js';
import { LOOPBACK_FORMS } from './testing/loopback-forms.js';

const EVERYTHING = ['0.0.0.0/0', '::/0'];
const DENIED = { code: 'EGRESS_DENIED', sent: false, reason: expect.stringContaining("the gateway's own address") };

let gateway: CountingServer;

beforeEach(async () => void (gateway = await startCountingServer()));
afterEach(() => gateway.close());

interface Own {
  baseUrl?: string;
  others?: string[];
  port?: number;
}

async function outcome(url: string, own: Own, options: EgressOptions = {}): Promise<unknown> {
  const egress = createEgress({ allow: EVERYTHING, own: { baseUrl: '', others: [], port: 0, ...own }, ...options });
  const result = await egress
    .sendFor('acme')({ method: 'GET', url, maxRedirects: 3 })
    .then(
      ({ status }) => status,
      ({ code, sent, reason }) => ({ code, sent, reason }),
    );
  await egress.close();
  return result;
}

describe('the port of the gateway on this machine', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address));
  const forms = [
    ...LOOPBACK_FORMS.map(({ url }) => url),
    ...addresses.map((address) => `http://${address.includes(':') ? `[${address.split('%')[0]}]` : address}:{port}/`),
    'http://[::ffff:127.0.0.1]:{port}/',
    'http://127.8.9.10:{port}/',
  ];

  it.each(forms)('is refused as %s, although EGRESS_ALLOW lists every address', async (form) => {
    const url = form.replace('{port}', String(gateway.port));
    expect(await outcome(url, { port: gateway.port })).toEqual(DENIED);
    expect(gateway.connections()).toBe(0);
  });

  it('is refused under a name that resolves to it', async () => {
    const resolve = async () => ['127.0.0.1'];
    const url = `http://innocent.example:${gateway.port}/`;
    expect(await outcome(url, { port: gateway.port }, { resolve })).toEqual(DENIED);
    expect(gateway.connections()).toBe(0);
  });

  it('is refused as the target of ORIGIN_MAP', async () => {
    const originMap = { 'https://api.example': `http://127.0.0.1:${gateway.port}` };
    expect(await outcome('https://api.example/', { port: gateway.port }, { originMap })).toEqual(DENIED);
    expect(gateway.connections()).toBe(0);
  });

  it('is refused as the destination of a redirect', async () => {
    const provider = await startCountingServer(redirectTo(`http://localhost:${gateway.port}/approvals/apr_1`));
    const url = `http://127.0.0.1:${provider.port}/`;
    expect(await outcome(url, { port: gateway.port })).toEqual({ ...DENIED, sent: true });
    expect([provider.connections(), gateway.connections()]).toEqual([1, 0]);
    await provider.close();
  });

  it('leaves every other port of this machine reachable', async () => {
    const provider = await startCountingServer();
    expect(await outcome(`http://127.0.0.1:${provider.port}/`, { port: gateway.port })).toBe(200);
    await provider.close();
  });
});

describe('the origin of BASE_URL', () => {
  const names: Record<string, string[]> = {
    'gateway.example': ['203.0.113.7', '2001:db8::7'],
    'alias.example': ['203.0.113.7'],
    'six.example': ['2001:db8:0::7'],
    'mapped.example': ['::ffff:203.0.113.7'],
    'provider.example': ['203.0.113.8'],
  };
  const resolve = async (name: string) => names[name] ?? [];

  it.each([
    ['http://gateway.example', 'http://gateway.example/'],
    ['http://gateway.example', 'http://GATEWAY.example.:80/x'],
    ['http://gateway.example', 'http://gateway。example/'],
    ['http://gateway.example', 'http://203.0.113.7/'],
    ['http://gateway.example', 'http://3405803783/'],
    ['http://gateway.example', 'http://alias.example/'],
    ['http://gateway.example', 'http://six.example/'],
    ['http://gateway.example', 'http://mapped.example/'],
    ['http://gateway.example:9000/folder', 'http://alias.example:9000/'],
    ['http://203.0.113.7:9000', 'http://alias.example:9000/'],
    ['https://gateway.example', 'https://gateway.example/'],
    ['https://gateway.example', 'http://gateway.example/'],
    ['https://gateway.example', 'http://alias.example/'],
    ['https://gateway.example', 'https://203.0.113.7/'],
    ['https://gateway.example', 'https://[2001:db8::7]/'],
    ['http://localhost:9000', 'http://127.0.0.2:9000/'],
    ['http://127.0.0.1:9000', 'http://0.0.0.0:9000/'],
    ['http://127.0.0.1:9000', 'http://[::1]:9000/'],
  ])('%s is refused as %s', async (baseUrl, url) => {
    const { connect, addresses } = recordingConnect(gateway.port);
    expect(await outcome(url, { baseUrl }, { connect, resolve })).toEqual(DENIED);
    expect(await outcome(url, { others: [baseUrl] }, { connect, resolve })).toEqual(DENIED);
    expect(addresses).toEqual([]);
  });

  // A target is not the gateway if it has another address or port, or if the gateway's name does not resolve. The same applies to an https server at
  // the gateway's address, for example behind the same load balancer: it proves its own name with its certificate.
  it.each([
    ['http://gateway.example:9000', 'http://alias.example/'],
    ['http://gateway.example', 'http://provider.example/'],
    ['https://gateway.example', 'https://alias.example/'],
    ['https://unknown.example', 'http://provider.example/'],
  ])('%s leaves %s reachable', async (baseUrl, url) => {
    const { connect } = recordingConnect(gateway.port);
    expect(await outcome(url, { baseUrl }, { connect, resolve })).toBe(200);
  });

  it('is refused by its name where that does not resolve', async () => {
    const own = { baseUrl: 'https://unknown.example' };
    expect(await outcome('https://unknown.example/', own, { resolve })).toEqual(DENIED);
  });

  it('is refused before anything is kept of it', () => {
    const egress = createEgress({ own: { baseUrl: 'https://gateway.example', others: [], port: 8080 } });
    expect(() => egress.requireReachable('https://gateway.example/hooks')).toThrow(
      expect.objectContaining({ code: 'EGRESS_DENIED' }),
    );
    expect(egress.requireReachable('https://provider.example/hooks')).toBeUndefined();
  });
});

describe('every outgoing request', () => {
  it('is marked as sent by a program, whatever its caller sets, also after a redirect', async () => {
    const marks: unknown[] = [];
    const last = await startCountingServer((request, response) => {
      marks.push(request.headers['x-svc-egress']);
      response.end();
    });
    const first = await startCountingServer((request, response) => {
      marks.push(request.headers['x-svc-egress']);
      redirectTo(`http://localhost:${last.port}/`)(request, response);
    });
    const egress = createEgress({ allow: EVERYTHING });
    const headers = { 'X-Svc-Egress': '0' };
    await egress.sendFor('acme')({ method: 'GET', url: `http://127.0.0.1:${first.port}/`, headers, maxRedirects: 1 });
    expect(marks).toEqual(['1', '1']);
    await Promise.all([egress.close(), first.close(), last.close()]);
  });
});

function redirectTo(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { location }).end();
}
