import { openHttp } from './http.js';
import { type JsonValue } from './json.js';
import { member, type SendRequest, textAt } from './answer.js';

const ORIGIN = 'https://api.example.com';

describe('an answer', () => {
  const ask = (status: number): Promise<unknown> => {
    const answer = { status, headers: {}, body: Buffer.from('{"a":1}'), url: `${ORIGIN}/x` };
    return openHttp({ origin: ORIGIN, send: async () => answer }).json({ method: 'GET', path: '/x' });
  };

  it.each([200, 201, 204, 299])('of %i is a success', async (status) => {
    expect(await ask(status)).toEqual({ a: 1 });
  });

  it('of 502 without JSON is a failure of the provider', async () => {
    const answer = { status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>'), url: ORIGIN };
    const http = openHttp({ origin: ORIGIN, send: async () => answer });
    const failure = { message: 'The provider responded with status 502', retryable: true };
    await expect(http.json({ method: 'GET', path: '/x' })).rejects.toMatchObject(failure);
  });

  it.each([199, 300, 304, 400, 500])('of %i is a failure', async (status) => {
    await expect(ask(status)).rejects.toMatchObject({ name: 'ProviderError', status, isElsewhere: false });
  });
});

describe('a failure that a body says', () => {
  const failedWhen = (body: JsonValue) => {
    if (member(body, 'ok') !== false) return undefined;
    return { message: textAt(body, 'why'), code: textAt(body, 'error') };
  };
  const open = (status: number, body: unknown, type = 'application/json') => {
    const bytes = Buffer.from(JSON.stringify(body));
    const answer = { status, headers: { 'content-type': type }, body: bytes, url: `${ORIGIN}/x` };
    return openHttp({ origin: ORIGIN, failedWhen, send: async () => answer });
  };
  const get = { method: 'GET', path: '/x' };

  it.each([
    [200, { ok: false, error: 'invalid_auth' }, 'invalid_auth', 'invalid_auth'],
    [200, { ok: false, error: 'no', why: 'Not now' }, 'Not now', 'no'],
    [400, { ok: false, error: 'no', message: 'Said usually' }, 'Said usually', 'no'],
  ])('of %i is one: %j', async (status, body, message, code) => {
    const failure = { name: 'ProviderError', status, message, code, retryable: false, isElsewhere: false };
    await expect(open(status, body).json(get)).rejects.toMatchObject(failure);
    await expect(open(status, body).request(get)).rejects.toMatchObject(failure);
    expect(await open(status, body).send(get)).toMatchObject({ status });
  });

  it('is none where the body does not say so, or is no text', async () => {
    expect(await open(200, { ok: true }).json(get)).toEqual({ ok: true });
    expect(await open(200, { ok: false }, 'application/zip').request(get)).toMatchObject({ status: 200 });
  });
});

it.each([
  [{ json: { a: [1] } }, 'application/json', '{"a":[1]}'],
  [{ form: { a: [1] } }, 'application/x-www-form-urlencoded', 'a%5B%5D=1'],
  [{ body: 'a', contentType: 'text/plain' }, 'text/plain', 'a'],
  [{ form: { a: 1 }, contentType: 'application/x-own' }, 'application/x-own', 'a=1'],
])('sends %j with its type', async (content, type, text) => {
  const send = async ({ url, headers, body }: SendRequest) => {
    expect([headers?.['content-type'], body]).toEqual([type, text]);
    return { status: 204, headers: {}, body: new Uint8Array(), url };
  };
  expect(await openHttp({ origin: ORIGIN, send }).json({ method: 'POST', path: '/x', ...content })).toBeNull();
});

describe('the idempotency key of a write', () => {
  const asked = async (setup: object): Promise<(string | undefined)[]> => {
    const keys: (string | undefined)[] = [];
    const send = async ({ url, headers }: SendRequest) => {
      keys.push(headers?.['idempotency-key']);
      return { status: 204, headers: {}, body: new Uint8Array(), url };
    };
    const http = openHttp({ origin: ORIGIN, send, ...setup });
    for (const method of ['POST', 'GET', 'PUT', 'DELETE', 'PATCH']) await http.json({ method, path: '/x' });
    await http.send({ method: 'POST', path: '/x' });
    await http.json({ method: 'POST', path: '/x', headers: { 'idempotency-key': 'own' } });
    return keys;
  };
  const none = Array<undefined>(6).fill(undefined);

  it('is its number in the run, and the same when the run is gone through again', async () => {
    const setup = { idempotencyHeader: 'idempotency-key', runId: 'run' };
    const keys = ['run-1', undefined, 'run-2', undefined, 'run-3', 'run-4', 'own'];
    expect(await asked(setup)).toEqual(keys);
    expect(await asked(setup)).toEqual(keys);
  });

  it('is not sent to providers without support, or outside a run', async () => {
    expect(await asked({ runId: 'run' })).toEqual([...none, 'own']);
    expect(await asked({ idempotencyHeader: 'idempotency-key' })).toEqual([...none, 'own']);
  });
});
