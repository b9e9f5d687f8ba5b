import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { Hono } from 'hono';
import { expressWebhook, webhookHandler, type WebhookHandlerOptions } from './webhook-handlers.js';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.js';

// Signed with openssl, as in packages/jobs/src/sign-webhook.test.ts.
const SECRET = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=';
const OTHER = 'whsec_YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=';
const BODY = '{"text":"häuser"}';
const STANDARD = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1700000000',
  'webhook-signature': 'v1,LgreawqpyOPtsobpUB+w2bkQCcwCdLYFrk5u6An/Gus=',
};
const OWN = { 'X-Svc-Signature': 't=1700000000,v1=1317d48c5e9347bef7607d0ded5929684877b8ed114d6ec3bb04f741038aba7c' };
const ANY_AGE = { secret: SECRET, toleranceSeconds: Infinity };

describe('verifyWebhook', () => {
  it.each<[string, Record<string, string>]>([
    ['Standard Webhooks', STANDARD],
    ['X-Svc-Signature', OWN],
    ['several signatures', { ...STANDARD, 'webhook-signature': `v1,AAAA v2,x ${STANDARD['webhook-signature']}` }],
    ['several of its own', { 'x-svc-signature': OWN['X-Svc-Signature'].replace(',v1', `,v1=${'0'.repeat(64)},v1`) }],
  ])('accepts %s', async (_, headers) => {
    expect(await verifyWebhook({ headers, body: BODY }, ANY_AGE)).toEqual({ text: 'häuser' });
    const body = new TextEncoder().encode(BODY);
    expect(await verifyWebhook({ headers: new Headers(headers), body }, ANY_AGE)).toEqual({ text: 'häuser' });
  });

  it('accepts either secret during a rotation', async () => {
    const options = { ...ANY_AGE, secret: [OTHER, SECRET] };
    expect(await verifyWebhook({ headers: STANDARD, body: BODY }, options)).toEqual({ text: 'häuser' });
  });

  it.each<[string, Record<string, string>, string, object]>([
    ['another body', STANDARD, `${BODY} `, ANY_AGE],
    ['another body under its own header', OWN, `${BODY} `, ANY_AGE],
    ['another id', { ...STANDARD, 'webhook-id': 'msg_2' }, BODY, ANY_AGE],
    ['another secret', STANDARD, BODY, { ...ANY_AGE, secret: OTHER }],
    ['an old timestamp', STANDARD, BODY, { secret: SECRET }],
    ['an old timestamp under its own header', OWN, BODY, { secret: SECRET }],
    ['no number as the timestamp', { ...STANDARD, 'webhook-timestamp': 'x' }, BODY, ANY_AGE],
    ['no signature', {}, BODY, ANY_AGE],
    ['a signature that is not base64', { ...STANDARD, 'webhook-signature': 'v1,!' }, BODY, ANY_AGE],
    ['a signature that is not hex', { 'x-svc-signature': 't=1700000000,v1=xyz' }, BODY, ANY_AGE],
  ])('refuses %s', async (_, headers, body, options) => {
    const verified = verifyWebhook({ headers, body }, { secret: SECRET, ...options });
    await expect(verified).rejects.toThrow(WebhookVerificationError);
  });

  it.each<[string, string, string]>([
    ['Standard Webhooks', 'webhook-signature', `v1,${'A'.repeat(43)}= `],
    ['X-Svc-Signature', 'x-svc-signature', `,v1=${'0'.repeat(64)}`],
  ])('compares few of many signatures of %s, because each costs a hash of the body', async (_, name, forged) => {
    const verify = import.meta.jest.spyOn(crypto.subtle, 'verify');
    const headers = { ...STANDARD, 'webhook-signature': '', [name]: `t=1700000000 ${forged.repeat(200)}` };
    await expect(verifyWebhook({ headers, body: BODY }, ANY_AGE)).rejects.toThrow(WebhookVerificationError);
    expect(verify.mock.calls.length).toBeLessThanOrEqual(10);
    verify.mockRestore();
  });

  // packages/sdk-python/tests/test_webhooks.py has the same cases.
  const CASES: [string, string, string, boolean][] = [
    ['eleven malformed ones', 'v1,AAAA '.repeat(11), 'v1=00,'.repeat(11), true],
    ['spaces', '', ' ', true],
    ['a malformed one and spaces', 'v1,AAAA ', ' v1=00 , ', true],
    ['nine others', `v1,${'A'.repeat(43)}= `.repeat(9), `v1=${'0'.repeat(64)},`.repeat(9), true],
    ['ten others', `v1,${'A'.repeat(43)}= `.repeat(10), `v1=${'0'.repeat(64)},`.repeat(10), false],
  ];
  it.each(CASES)('reads a signature after %s', async (_, before, ownBefore, isValid) => {
    for (const headers of [
      { ...STANDARD, 'webhook-signature': before + STANDARD['webhook-signature'] },
      { 'x-svc-signature': OWN['X-Svc-Signature'].replace('v1=', `${ownBefore}v1=`) },
    ]) {
      const verified = verifyWebhook({ headers, body: BODY }, ANY_AGE);
      if (isValid) expect(await verified).toEqual({ text: 'häuser' });
      else await expect(verified).rejects.toThrow(WebhookVerificationError);
    }
  });

  const secretOf = (length: number): string => `whsec_${Buffer.alloc(length, 'a').toString('base64')}`;
  it.each([...[0, 3, 16, 24, 31, 33].map(secretOf), ...['', 'short', '0123456789abcdef0123456789abcdef']])(
    'refuses the secret %j with a key that does not have 32 bytes',
    async (secret) => {
      const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
      const own = `t=1700000000,v1=${sign(secret, `1700000000.${BODY}`).toString('hex')}`;
      const decoded = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const standard = `v1,${sign(decoded, `msg_1.1700000000.${BODY}`).toString('base64')}`;
      for (const headers of [{ 'x-svc-signature': own }, { ...STANDARD, 'webhook-signature': standard }]) {
        const verified = verifyWebhook({ headers, body: BODY }, { ...ANY_AGE, secret });
        await expect(verified).rejects.toThrow('A webhook secret is whsec_ and base64');
      }
    },
  );

  it('says that a secret is none, without repeating it', async () => {
    const verified = verifyWebhook({ headers: STANDARD, body: BODY }, { ...ANY_AGE, secret: 'whsec_!' });
    await expect(verified).rejects.toThrow(
      'A webhook secret is whsec_ and base64: copy the signingSecret of the trigger',
    );
  });
});

type NodeRequest = Parameters<ReturnType<typeof expressWebhook>>[0];

describe('a handler', () => {
  let events: WebhookEvent[];
  let options: WebhookHandlerOptions;
  beforeEach(() => {
    events = [];
    options = { ...ANY_AGE, onEvent: (event) => void events.push(event) };
  });

  const hono = (): RequestListener => {
    const handler = webhookHandler(options);
    const app = new Hono().post('/events', (context) => handler(context.req.raw));
    return async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = request.headers as Record<string, string>;
      const init = { method: 'POST', headers, body: Buffer.concat(chunks) };
      response.writeHead((await app.request('/events', init)).status).end();
    };
  };
  const SERVERS: [string, () => RequestListener][] = [
    ['Express', () => express().post('/events', expressWebhook(options))],
    [
      'Express with a raw body',
      () =>
        express()
          .use(express.raw({ type: '*/*' }))
          .post('/events', expressWebhook(options)),
    ],
    ['node:http', () => expressWebhook(options) as RequestListener],
    ['Hono', hono],
  ];

  it.each(SERVERS)('of %s passes on what is signed, and refuses the rest', async (_, listener) => {
    const post = await serving(listener());
    const json = { ...STANDARD, 'content-type': 'application/json' };
    expect([await post(json, BODY), await post(json, `${BODY} `), await post({}, BODY)]).toEqual([204, 401, 401]);
    expect(events).toEqual([{ text: 'häuser' }]);
  });

  const LIMITED: [string, () => RequestListener][] = [
    ['Express', () => express().post('/events', expressWebhook({ ...options, maxBodyBytes: 1_024 }))],
    ['node:http', () => expressWebhook({ ...options, maxBodyBytes: 1_024 }) as RequestListener],
  ];
  it.each(LIMITED)('of %s answers 413 to a client, also before it has sent the whole body', async (_, listener) => {
    const port = await listening(listener());
    const body = new Uint8Array(8 * 1_048_576);
    expect((await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body })).status).toBe(413);
    const socket = connect(port, '127.0.0.1');
    stops.push(() => void socket.destroy());
    const answer = new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject));
    socket.write(`POST /events HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${'x'.repeat(2_048)}`);
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 413 /);
    expect(events).toEqual([]);
  });

  it('of the web platform is one of Next.js', async () => {
    const POST = webhookHandler(options);
    const request = new Request('https://app.example/events', { method: 'POST', headers: STANDARD, body: BODY });
    expect((await POST(request)).status).toBe(204);
  });

  const endless = (most: number) => {
    let read = 0;
    const pull = (controller: ReadableStreamDefaultController) =>
      read === most ? controller.close() : (read++, controller.enqueue(new Uint8Array(1_024)));
    return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }), chunks: () => read };
  };

  it.each([
    ['16 MiB', {}, 16_384],
    ['maxBodyBytes', { maxBodyBytes: 4_096 }, 4],
  ])('of the web platform reads at most %s', async (_, more, most) => {
    const { stream, chunks } = endless(100_000);
    const init = { method: 'POST', headers: STANDARD, body: stream, duplex: 'half' } as RequestInit;
    const request = new Request('https://app.example/events', init);
    expect((await webhookHandler({ ...options, ...more })(request)).status).toBe(413);
    expect(chunks()).toBeLessThanOrEqual(most + 3);
    expect(events).toEqual([]);
  });

  it('of the web platform reads a body of exactly maxBodyBytes', async () => {
    const init = { method: 'POST', headers: STANDARD, body: BODY };
    const request = (): Request => new Request('https://app.example/events', init);
    const size = Buffer.byteLength(BODY);
    expect((await webhookHandler({ ...options, maxBodyBytes: size })(request())).status).toBe(204);
    expect((await webhookHandler({ ...options, maxBodyBytes: size - 1 })(request())).status).toBe(413);
    expect((await webhookHandler(options)(new Request('https://app.example/', { method: 'POST' }))).status).toBe(401);
  });

  it('fails if the event cannot be handled, so that it is sent again', async () => {
    const failing = { ...options, onEvent: () => Promise.reject(new Error('The database is away')) };
    const request = new Request('https://app.example/events', { method: 'POST', headers: STANDARD, body: BODY });
    await expect(webhookHandler(failing)(request)).rejects.toThrow('The database is away');
    const app = express().post('/events', expressWebhook(failing));
    app.use(((_error, _request, response, _next) => void response.sendStatus(500)) as express.ErrorRequestHandler);
    expect(await (await serving(app))(STANDARD, BODY)).toBe(500);
  });

  it('fails if onEvent throws a WebhookVerificationError, because the request itself is signed', async () => {
    const error = new WebhookVerificationError('The webhook has no signature');
    const failing = { ...options, onEvent: () => Promise.reject(error) };
    const request = new Request('https://app.example/events', { method: 'POST', headers: STANDARD, body: BODY });
    await expect(webhookHandler(failing)(request)).rejects.toBe(error);
    const app = express().post('/events', expressWebhook(failing));
    app.use(((_error, _request, response, _next) => void response.sendStatus(500)) as express.ErrorRequestHandler);
    expect(await (await serving(app))(STANDARD, BODY)).toBe(500);
  });

  it('says where it belongs if the body is parsed already', async () => {
    const request = { headers: STANDARD, body: {} } as unknown as NodeRequest;
    const errors: unknown[] = [];
    await expressWebhook(options)(request, { statusCode: 0, end: () => undefined }, (error) => void errors.push(error));
    expect(String(errors)).toMatch(/register expressWebhook\(\) in front of express.json\(\)/);
  });

  describe('of node:http', () => {
    let logged: jest.SpiedFunction<typeof console.error>;
    beforeEach(() => (logged = import.meta.jest.spyOn(console, 'error').mockReturnValue()));
    afterEach(() => logged.mockRestore());

    it('answers 500 to an event that cannot be handled, and does not reject', async () => {
      const error = new Error('The database is away');
      const post = await serving(
        expressWebhook({ ...options, onEvent: () => Promise.reject(error) }) as RequestListener,
      );
      expect(await post(STANDARD, BODY)).toBe(500);
      expect(logged).toHaveBeenCalledWith(error);
    });

    it('survives a client that hangs up while it sends', async () => {
      const handled = new Promise<void>((resolve, reject) => {
        const handler = expressWebhook(options) as (...args: unknown[]) => Promise<void>;
        const server = createServer((...args) => void handler(...args).then(resolve, reject));
        server.listen(0, '127.0.0.1', () => {
          const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
          socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{', () => socket.destroy());
        });
        stops.push(() => void server.close());
      });
      await handled;
      expect(events).toEqual([]);
    });

    it.each([
      ['16 MiB', {}, 16],
      ['maxBodyBytes', { maxBodyBytes: 4 * 1_048_576 }, 4],
    ])('reads at most %s', async (_, more, most) => {
      let read = 0;
      const endless = {
        headers: STANDARD,
        async *[Symbol.asyncIterator]() {
          for (; read < 100; read++) yield new Uint8Array(1_048_576);
        },
      };
      const response = { statusCode: 0, end: () => undefined };
      await expressWebhook({ ...options, ...more })(endless, response);
      expect([response.statusCode, read]).toEqual([413, most]);
    });
  });
});

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** Returns the port of a server that stops after the test. */
async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => (server.closeAllConnections(), void server.close()));
  return (server.address() as AddressInfo).port;
}

async function serving(listener: RequestListener) {
  const port = await listening(listener);
  return async (headers: Record<string, string>, body: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', headers, body })).status;
}
