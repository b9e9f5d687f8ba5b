import { createEgress, type Egress, type Send } from './index.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';

let server: CountingServer;
let egress: Egress;

// The server responds with the request that it received, as JSON.
beforeEach(async () => {
  server = await startCountingServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('latin1');
    res.setHeader('set-cookie', ['a=1', 'b=2']);
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }));
  });
  egress = createEgress({ originMap: { 'https://api.example': `http://127.0.0.1:${server.port}/v3` } });
});
afterEach(async () => {
  await egress.close();
  await server.close();
});

async function echo(request: Parameters<Send>[0]) {
  const answer = await egress.sendFor('acme')(request);
  return { ...answer, body: JSON.parse(Buffer.from(answer.body).toString()) };
}

describe('send', () => {
  it('reaches a mapped origin at its target and prefix with that host, and returns the requested URL', async () => {
    const answer = await echo({ method: 'get', url: 'https://api.example/repos?page=2#x' });
    expect(answer.url).toBe('https://api.example/repos?page=2');
    expect(answer.body).toMatchObject({ method: 'GET', url: '/v3/repos?page=2' });
    expect(answer.body.headers.host).toBe(`127.0.0.1:${server.port}`);
  });

  it('may reach the target of a mapping by its own address, and no other port beside it', async () => {
    expect((await echo({ method: 'GET', url: `http://127.0.0.1:${server.port}/` })).status).toBe(200);
    await expect(egress.sendFor('acme')({ method: 'GET', url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({
      code: 'EGRESS_DENIED',
    });
  });

  it.each([
    ['text', 'héllo', 'hÃ©llo'],
    ['bytes', new Uint8Array([0, 255, 7]), '\u0000ÿ\u0007'],
  ])('sends a body of %s with its length', async (_, body, received) => {
    const answer = await echo({ method: 'POST', url: 'https://api.example/', body });
    expect(answer.body.body).toBe(received);
    expect(answer.body.headers['content-length']).toBe(String(received.length));
  });

  it('names itself and asks for no compression, unless the caller says otherwise', async () => {
    const plain = await echo({ method: 'GET', url: 'https://api.example/' });
    expect(plain.body.headers).toMatchObject({ 'user-agent': 'drawbridge', 'accept-encoding': 'identity' });
    const own = await echo({ method: 'GET', url: 'https://api.example/', headers: { 'User-Agent': 'mine' } });
    expect(own.body.headers['user-agent']).toBe('mine');
  });

  it('hands a repeated header of the answer on as one', async () => {
    expect((await echo({ method: 'GET', url: 'https://api.example/' })).headers['set-cookie']).toBe('a=1, b=2');
  });

  it('reads no proxy variable', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: 'http://127.0.0.1:1',
      HTTPS_PROXY: 'http://127.0.0.1:1',
      http_proxy: 'http://127.0.0.1:1',
    });
    try {
      expect((await echo({ method: 'GET', url: 'https://api.example/' })).status).toBe(200);
    } finally {
      process.env = before;
    }
  });

  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Proxy-Authorization'])(
    'refuses the header %s by name',
    async (name) => {
      const sending = egress.sendFor('acme')({ method: 'GET', url: 'https://api.example/', headers: { [name]: 'x' } });
      await expect(sending).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(name.toLowerCase()),
      });
      expect(server.connections()).toBe(0);
    },
  );

  it.each([
    ['CONNECT', {}],
    ['trace', {}],
    ['GET /other HTTP/1.1\r\nx:', {}],
    ['GET', { 'x-split': 'a\r\nx-other: s3cret' }],
    ['GET', { 'x-wide': 's3cret→' }],
    ['GET', { 'bad name': 's3cret' }],
  ])('refuses the method %j with headers %j', async (method, headers) => {
    const error = await egress
      .sendFor('acme')({ method, url: 'https://api.example/', headers })
      .catch((caught) => caught);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', sent: false });
    expect(error.message).not.toContain('s3cret');
    expect(server.connections()).toBe(0);
  });
});
