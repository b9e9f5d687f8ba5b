import { categoryOfCall, piece, runAction, type JsonObject, type Piece } from '@drawbridge/piece-kit';
import { startThirdParty, type Reply } from '../testing/third-party.js';
import { pieces } from './index.js';
import { withRequest } from './request.js';

const CORE = ['advanced-code', 'agent-memory', 'agent-scratchpad', 'code', 'data-transformer', 'datetime'];
const WITHOUT = [...CORE, 'hash-encode', 'http', 'kv-store', 'sequential-thinking', 'storage'];

it('is an action of each third-party piece, and of no other piece', () => {
  const without = Object.values(pieces).filter(({ actions }) => !actions['request']);
  expect(without.map(({ name }) => name)).toEqual(WITHOUT);
  expect(Object.values(pieces).every(({ actions }) => !actions['request'] || actions['request'].isRaw)).toBe(true);
});

it('does not replace an action of that name', () => {
  const own = piece({ ...pieces['github']!, actions: { request: pieces['github']!.actions['create_issue']! } });
  expect(withRequest(own)).toBe(own);
});

it.each<[string, string, string]>([
  ['github', 'GET', 'read'],
  ['github', 'HEAD', 'read'],
  ['github', 'POST', 'admin'],
  ['github', 'DELETE', 'admin'],
  ['github', 'get', 'admin'],
  // These providers accept writes by GET.
  ['slack', 'GET', 'admin'],
  ['telegram', 'GET', 'admin'],
  ['asana', 'GET', 'admin'],
  ['sendgrid', 'GET', 'admin'],
])('the category of a request to %s by %s is %s', (name, method, category) => {
  expect(categoryOfCall(pieces[name]!.actions['request']!, { method })).toBe(category);
});

it('is a change without a method that it knows', () => {
  for (const method of [undefined, null, ['GET'], {}])
    expect(categoryOfCall(pieces['github']!.actions['request']!, { method } as JsonObject)).toBe('admin');
});

async function request(input: JsonObject, reply: Reply = {}, at: Piece = pieces['github']!) {
  const { received, send, close } = await startThirdParty(() => reply);
  try {
    const credential = { type: 'SECRET_TEXT', secretText: 'ghp_1' } as const;
    const output = await runAction(at, 'request', { input: { method: 'GET', path: '/x', ...input }, credential, send });
    return { output, received: received[0] };
  } finally {
    await close();
  }
}

it('sends any request below the address of the API, with the credential', async () => {
  const input = { method: 'PATCH', path: '/a/b?own=1', query: { q: 'x y' }, json: { a: [1] } };
  const headers = { 'X-Own': 'yes', Authorization: 'mine' };
  const { received, output } = await request({ ...input, headers }, { status: 201, body: '{"id":7}' });
  expect(received).toMatchObject({ method: 'PATCH', url: '/a/b?own=1&q=x+y', body: '{"a":[1]}' });
  expect(received?.headers).toMatchObject({ 'x-own': 'yes', authorization: 'Bearer ghp_1' });
  expect(output).toMatchObject({ status: 201, body: { id: 7 } });
});

it('fails with a status outside 2xx unless failOnError is false', async () => {
  const reply = { status: 404, body: '{"message":"Not Found"}' };
  await expect(request({}, reply)).rejects.toMatchObject({ name: 'ProviderError', status: 404, message: 'Not Found' });
  expect((await request({ failOnError: false }, reply)).output).toMatchObject({ status: 404 });
});

it.each(['/..', '/../x', '/a/../../x', '/a/%2e%2E/x', '/.%2e?x', '/a/./b', '/%2e'])(
  'refuses the path %s',
  async (path) => {
    await expect(request({ path })).rejects.toMatchObject({ name: 'InputError', property: 'path' });
  },
);

it.each(['/a..b', '/...', '/a?next=/../b', '/.well-known/x'])('sends the path %s', async (path) => {
  expect((await request({ path })).received?.url).toBe(path);
});

it.each(['X-HTTP-Method-Override', 'x-method-override', 'X-Http-Method'])('refuses the header %s', async (name) => {
  await expect(request({ method: 'POST', headers: { [name]: 'DELETE' } })).rejects.toMatchObject({
    property: 'headers',
    message: `cannot have ${name}. Set "method" instead`,
  });
});

it('checks a path in linear time', async () => {
  const { run } = pieces['github']!.actions['request']!;
  const http = { request: async () => ({ status: 200, headers: {}, body: new Uint8Array() }) };
  const timeOf = async (text: string, size: number): Promise<number> => {
    const input = { method: 'GET', path: `/${text.repeat(size / text.length)}` };
    const began = process.cpuUsage();
    for (let n = 0; n < 20; n++) await run({ input, http } as never).catch(() => undefined);
    return process.cpuUsage(began).user;
  };
  for (const text of ['../', './', '%2e', '/', '?', '/..']) {
    const [small, large] = [await timeOf(text, 50_000), await timeOf(text, 800_000)];
    // Linear work takes 16 times as long, quadratic work 256 times.
    expect(large / Math.max(small, 1_000)).toBeLessThan(100);
  }
});
