import { action, authorizationHeader, json, piece, ProviderError, runAction, shortText, multiSelect } from './index.js';
import type { Call, Credential, Output, Send, SendRequest } from './index.js';

const declared = { displayName: 'Do', description: 'Does it.', category: 'read', props: {} } as const;
const answering = (output: Output) => action({ ...declared, run: async () => output });

const example = piece({
  name: 'example',
  displayName: 'Example',
  description: 'An example.',
  categories: ['CORE'] as const,
  origin: 'https://api.example.com',
  auth: { types: ['SECRET_TEXT'], required: true },
  http: { headers: { accept: 'application/json', authorization: 'none' }, authorize: authorizationHeader },
  actions: {
    change: action({
      ...declared,
      timeoutMs: 1234,
      props: { id: shortText('Id', { required: true }), name: shortText('Name'), tags: multiSelect('Tags') },
      call: { method: 'PUT', path: '/things/{id}', query: ['tags'], body: ['name', 'tags'] },
    }),
    fill: action({
      ...declared,
      props: { name: shortText('Name'), tags: multiSelect('Tags') },
      call: { method: 'POST', path: '/forms', form: ['name', 'tags'] },
    }),
    list: answering([1, 2]),
    nothing: answering(undefined),
    bytes: answering(new TextEncoder().encode('hi')),
    scalar: answering(7),
  },
});

function answerWith(status: number, body: string): { send: Send; sent: SendRequest[] } {
  const sent: SendRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return { status, headers: {}, body: new TextEncoder().encode(body), url: request.url };
  };
  return { send, sent };
}

const credential: Credential = { type: 'SECRET_TEXT', secretText: 'canary' };

it('sends a declared call with its path, query, body, headers and credential', async () => {
  const { send, sent } = answerWith(200, '{"ok":true}');
  const input = { id: 'a/b', tags: ['x', 'y'] };
  const { signal } = new AbortController();
  expect(await runAction(example, 'change', { input, credential, send, signal, timeoutMs: 99 })).toEqual({ ok: true });
  expect(sent).toEqual([
    {
      method: 'PUT',
      url: 'https://api.example.com/things/a%2Fb?tags=x&tags=y',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer canary' },
      body: '{"tags":["x","y"]}',
      timeoutMs: 1234,
      maxRedirects: 5,
      signal,
    },
  ]);
});

it.each<[string, Call<'id' | 'name' | 'tags'>, object]>([
  [
    'renamed properties',
    { method: 'POST', path: '/x', body: { title: 'name', labels: 'tags' } },
    { body: { title: 'n' } },
  ],
  ['constants', { method: 'POST', path: '/x', body: { kind: { constant: 'task' } } }, { body: { kind: 'task' } }],
  [
    'nested keys',
    { method: 'POST', path: '/x', body: { 'a.b': 'name', 'a.c': 'id' } },
    { body: { a: { b: 'n', c: '1' } } },
  ],
  [
    'fields below a key',
    { method: 'PUT', path: '/x/{id}', body: ['name'], bodyIn: 'data' },
    { body: { data: { name: 'n' } } },
  ],
  ['a property as the body', { method: 'POST', path: '/x', whole: 'name' }, { body: 'n' }],
  [
    'constants in the query',
    { method: 'GET', path: '/x', query: { view: { constant: 'full' }, q: 'name' } },
    { query: '?view=full&q=n' },
  ],
  ['no body', { method: 'GET', path: '/x' }, {}],
  ['no body below a key', { method: 'GET', path: '/x', bodyIn: 'data' }, {}],
  [
    'a field instead of a list',
    { method: 'POST', path: '/x', body: { a: { constant: [1] }, 'a.b': 'name' } },
    { body: { a: { b: 'n' } } },
  ],
])('sends %s of a declared call', async (_, call, expected) => {
  const props = { id: shortText('Id', { required: true }), name: shortText('Name'), tags: multiSelect('Tags') };
  const own = piece({ ...example, actions: { act: action({ ...declared, props, call }) } });
  const { send, sent } = answerWith(200, '{}');
  await runAction(own, 'act', { input: { id: '1', name: 'n' }, credential, send });
  const { body, url } = sent[0]!;
  const query = new URL(url).search;
  expect({ ...(body !== undefined && { body: JSON.parse(body as string) }), ...(query && { query }) }).toEqual(
    expected,
  );
});

it('adds nested fields to a copy of a property, and never to a prototype', async () => {
  const props = { more: json('More'), name: shortText('Name') };
  const body = { fields: 'more', 'fields.a.title': 'name', '__proto__.polluted': 'name' } as const;
  const own = piece({
    ...example,
    actions: { act: action({ ...declared, props, call: { method: 'POST', path: '/x', body } }) },
  });
  const { send, sent } = answerWith(200, '{}');
  const input = { name: 'n', more: JSON.parse('{"a":{"b":1},"__proto__":{"c":1}}') };
  await runAction(own, 'act', { input, credential, send });
  expect(sent[0]!.body).toBe('{"fields":{"a":{"b":1,"title":"n"},"__proto__":{"c":1}},"__proto__":{"polluted":"n"}}');
  expect(JSON.stringify(input.more)).toBe('{"a":{"b":1},"__proto__":{"c":1}}');
  expect('polluted' in {}).toBe(false);
});

it.each([
  ['{"data":{"item":{"id":1}}}', { id: 1 }],
  ['{"data":{}}', {}],
])('returns the declared part of the response %s', async (body, expected) => {
  const call = { method: 'GET', path: '/x', result: 'data.item' } as const;
  const own = piece({ ...example, actions: { act: action({ ...declared, call }) } });
  expect(await runAction(own, 'act', { input: {}, credential, send: answerWith(200, body).send })).toEqual(expected);
});

it('sends a declared call as a form', async () => {
  const { send, sent } = answerWith(200, '{}');
  await runAction(example, 'fill', { input: { tags: ['x', 'y'] }, send });
  expect(sent).toMatchObject([
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'tags%5B%5D=x&tags%5B%5D=y' },
  ]);
});

it('asks a busy third party again where the action may be done twice', async () => {
  const times = async (idempotent: boolean) => {
    const sent: SendRequest[] = [];
    const send: Send = async (request) => {
      sent.push(request);
      return { status: 429, headers: { 'retry-after': '0' }, body: new Uint8Array(), url: request.url };
    };
    const pay = action({ ...declared, category: 'payment', idempotent, call: { method: 'POST', path: '/payments' } });
    const run = runAction({ ...example, actions: { pay } }, 'pay', { input: {}, send });
    await expect(run).rejects.toMatchObject({ status: 429, retryAfter: 0 });
    return sent.length;
  };
  expect([await times(false), await times(true)]).toEqual([1, 3]);
});

it.each([
  ['list', { items: [1, 2] }],
  ['nothing', {}],
  ['bytes', { filename: 'file', mimeType: 'application/octet-stream', base64: 'aGk=' }],
  ['scalar', { value: 7 }],
])('makes an object of the output %s', async (name, output) => {
  expect(await runAction(example, name, { input: {}, send: answerWith(200, '').send })).toEqual(output);
});

it.each([
  ['', {}],
  ['[1]', { items: [1] }],
])('makes an object of the answer %j', async (body, output) => {
  expect(await runAction(example, 'change', { input: { id: 'a' }, send: answerWith(200, body).send })).toEqual(output);
});

it('fails without the body when a 2xx answer is not JSON', async () => {
  const run = runAction(example, 'change', { input: { id: 'a' }, send: answerWith(200, '<canary>').send });
  await expect(run).rejects.toThrow(new ProviderError('The response of the provider is not JSON'));
});

it.each(['missing', 'constructor'])('has no action %s', async (name) => {
  await expect(runAction(example, name, { input: {}, send: answerWith(200, '').send })).rejects.toThrow(
    'has no action',
  );
});

it('gives an action the id of its run', async () => {
  const tell = action({ ...declared, run: async ({ runId }) => runId });
  const options = { input: {}, credential, send: answerWith(200, '').send };
  expect(await runAction({ ...example, actions: { tell } }, 'tell', { ...options, runId: 'run_1' })).toEqual({
    value: 'run_1',
  });
  expect(await runAction({ ...example, actions: { tell } }, 'tell', options)).toEqual({});
});
