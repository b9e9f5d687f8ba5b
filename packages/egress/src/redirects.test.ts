import type { IncomingMessage } from 'node:http';
import { createEgress, type Egress, EgressError, type OutgoingRequest } from './index.js';
import { type CountingServer, recordingConnect, startCountingServer } from './testing/counting-server.js';
import { LOOPBACK_FORMS } from './testing/loopback-forms.js';
import { REFUSED_ADDRESSES } from './testing/refused-addresses.js';

interface Seen {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const PUBLIC = '93.184.215.14';
const SECRETS = { authorization: 'Bearer s3cret', cookie: 'a=s3cret', 'x-api-key': 's3cret' };

// Excludes URLs such as `http:127.0.0.1`: in a redirect from http to http, a URL without slashes is a relative path.
const LOOPBACK = LOOPBACK_FORMS.map(({ url }) => url.trim()).filter((url) => !url.startsWith('http:1'));
const FORBIDDEN = [...LOOPBACK, ...REFUSED_ADDRESSES.map(([host]) => `http://${host}/`)];

let server: CountingServer;
let egress: Egress;
let recorded: ReturnType<typeof recordingConnect>;
let seen: Seen[];

// Redirects /<status>?<location> to the location; responds with 200 to any other path.
beforeEach(async () => {
  seen = [];
  server = await startCountingServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    seen.push({ method: req.method, path: req.url, headers: req.headers, body: Buffer.concat(chunks).toString() });
    const [, status, location] = /^\/(3\d\d)\?(.*)$/.exec(req.url ?? '') ?? [];
    if (status === undefined) return res.end('arrived');
    // Node.js sends header values as latin1: these are the UTF-8 bytes of the location.
    const bytes = Buffer.from(decodeURIComponent(location ?? '')).toString('latin1');
    return res.writeHead(Number(status), { location: bytes }).end();
  });
  recorded = recordingConnect(server.port);
  egress = createEgress({ resolve: async () => [PUBLIC], connect: recorded.connect });
});
afterEach(async () => {
  await server.close();
  await egress.close();
});

const redirect = (location: string, status = 302) => `http://first.example/${status}?${encodeURIComponent(location)}`;
const follow = (request: Partial<OutgoingRequest> & { url: string }) =>
  egress.sendFor('acme')({ method: 'GET', maxRedirects: 5, ...request });

describe('a redirect', () => {
  it('is returned as the response unless the caller follows redirects', async () => {
    const answer = await egress.sendFor('acme')({ method: 'GET', url: redirect('/next') });
    expect(answer).toMatchObject({ status: 302, headers: { location: '/next' } });
    expect(seen).toHaveLength(1);
  });

  it('is followed to a relative and to an absolute place', async () => {
    expect((await follow({ url: redirect('next?a=1#part') })).url).toBe('http://first.example/next?a=1');
    expect((await follow({ url: redirect('http://second.example/x') })).url).toBe('http://second.example/x');
  });

  it.each(FORBIDDEN)('to %s is not followed', async (form) => {
    const inner = await startCountingServer();
    const location = form.replace('{port}', String(inner.port));
    await expect(follow({ url: redirect(location) })).rejects.toMatchObject({ code: 'EGRESS_DENIED', sent: true });
    expect(recorded.addresses).toEqual([PUBLIC]);
    expect(inner.connections()).toBe(0);
    await inner.close();
  });

  it.each([
    'ftp://second.example/',
    'http://user:pass@second.example/',
    'http://[fe80::1%25eth0]/',
    'file:///etc/passwd',
  ])('to %s is refused as no valid URL', async (location) => {
    await expect(follow({ url: redirect(location) })).rejects.toMatchObject({ code: 'INVALID_URL', sent: true });
  });

  it('gives up after as many as were allowed', async () => {
    const twice = redirect(redirect('/end'));
    await expect(follow({ url: twice, maxRedirects: 1 })).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
    expect((await follow({ url: twice, maxRedirects: 2 })).status).toBe(200);
  });

  it('to another host is followed only where the sender allows that host, as egress connects to it', async () => {
    const asked: string[] = [];
    const requireRedirect = async (host: string): Promise<void> => {
      asked.push(host);
      if (host === 'evil.example') throw new EgressError('REDIRECT_BLOCKED', 'not allowed', host);
    };
    const to = (url: string) => follow({ url: redirect(url), requireRedirect });
    expect((await to('/next')).url).toBe('http://first.example/next');
    expect((await to('http://second.example/x')).url).toBe('http://second.example/x');
    expect(asked).toEqual(['second.example']);
    const before = seen.length;
    for (const host of [
      'evil.example',
      'EVIL。example',
      'ev\u00adil.example..',
      'user.example/302?http://evil.example/',
    ]) {
      await expect(to(`http://${host}/`)).rejects.toMatchObject({ code: 'REDIRECT_BLOCKED', sent: true });
      expect(asked.at(-1)).toBe('evil.example');
    }
    // The first host received a request in each iteration, and user.example, which redirects again, received one.
    expect(seen.length - before).toBe(5);
    await expect(
      follow({
        url: redirect('http://slow.example/'),
        timeoutMs: 50,
        requireRedirect: () => new Promise(() => undefined),
      }),
    ).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('keeps every header within the origin', async () => {
    await follow({ url: redirect('/next'), headers: SECRETS });
    expect(seen[1]?.headers).toMatchObject(SECRETS);
  });

  it.each(['http://second.example/', 'http://first.example:8080/', 'http://sub.first.example/'])(
    'to another origin (%s) keeps no header that could be a credential',
    async (location) => {
      await follow({ url: redirect(location), headers: { ...SECRETS, accept: 'text/plain' } });
      expect(JSON.stringify(seen[1])).not.toContain('s3cret');
      expect(seen[1]?.headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'drawbridge' });
    },
  );

  it('back to the first origin does not bring its credentials back', async () => {
    await follow({ url: redirect('http://second.example/302?http://first.example/'), headers: SECRETS });
    expect(seen).toHaveLength(3);
    expect(JSON.stringify(seen.slice(1))).not.toContain('s3cret');
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'body'],
    [302, 'DELETE', 'DELETE', 'body'],
    [307, 'POST', 'POST', 'body'],
    [308, 'PATCH', 'PATCH', 'body'],
  ])('%i turns %s into %s', async (status, method, next, body) => {
    const headers = { 'content-type': 'text/plain' };
    await follow({ method, url: redirect('/next', status), body: 'body', headers });
    expect(seen[1]).toMatchObject({ method: next, body });
    expect(seen[1]?.headers['content-type']).toBe(body === '' ? undefined : 'text/plain');
  });

  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [307, 'PATCH'],
    [301, 'PUT'],
    [302, 'DELETE'],
  ])('%i of %s to another origin is not followed with its body', async (status, method) => {
    const following = follow({ method, url: redirect('http://second.example/x', status), body: 's3cret' });
    await expect(following).rejects.toMatchObject({ code: 'EGRESS_DENIED', sent: true, host: 'first.example' });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [307, 'DELETE', 'DELETE', undefined],
    [303, 'POST', 'GET', 's3cret'],
    [302, 'POST', 'GET', 's3cret'],
  ])('%i of %s to another origin is followed as %s without a body', async (status, method, next, body) => {
    await follow({ method, url: redirect('http://second.example/x', status), body });
    expect(seen[1]).toMatchObject({ method: next, body: '' });
  });

  it.each([300, 304, 305, 306])('is not status %i', async (status) => {
    expect((await follow({ url: redirect('/next', status) })).status).toBe(status);
  });
});

describe('a redirect of a mapped origin', () => {
  const mapped = (location: string) => `https://api.example/302?${encodeURIComponent(location)}`;

  beforeEach(() => {
    egress = createEgress({ originMap: { 'https://api.example': `http://127.0.0.1:${server.port}` } });
  });

  it.each(['/next', 'https://api.example/next', 'http://127.0.0.1:{port}/next'])(
    'to %s stays there with its credentials and its name',
    async (location) => {
      const url = mapped(location.replace('{port}', String(server.port)));
      expect((await follow({ url, headers: SECRETS })).url).toBe('https://api.example/next');
      expect(seen[1]).toMatchObject({ path: '/next', headers: SECRETS });
    },
  );

  it('does not go from https to http elsewhere', async () => {
    await expect(follow({ url: mapped('http://first.example/') })).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    expect(seen).toHaveLength(1);
  });
});
