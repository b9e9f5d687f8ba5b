import {
  InputError,
  runAction,
  type Credential,
  type JsonObject,
  type Send,
  type SendRequest,
} from '@drawbridge/piece-kit';
import { startThirdParty, type Reply } from '../../testing/third-party.js';
import { http } from './index.js';

const url = 'https://api.example.com/x?own=1';

async function run(input: JsonObject, reply: Reply = {}, credential?: Credential) {
  const { received, send, close } = await startThirdParty(() => reply);
  try {
    const output = await runAction(http, 'send_request', {
      input: { method: 'POST', url, ...input },
      credential,
      send,
    });
    return { output, received: received[0] };
  } finally {
    await close();
  }
}

const file = { filename: 'a.bin', mimeType: 'application/zip', base64: 'aGk=' };

it.each<[string, JsonObject, string | undefined, string]>([
  ['JSON', { json: { a: [1] } }, 'application/json', '{"a":[1]}'],
  ['JSON null', { json: null }, 'application/json', 'null'],
  ['a form', { form: { a: 'b c', d: [1, true] } }, 'application/x-www-form-urlencoded', 'a=b+c&d=1&d=true'],
  ['text', { text: 'ä' }, 'text/plain; charset=utf-8', 'ä'],
  ['bytes', { file }, 'application/zip', 'hi'],
  ['a custom content type', { text: '<a/>', headers: { 'Content-Type': 'text/xml' } }, 'text/xml', '<a/>'],
  ['nothing', {}, undefined, ''],
])('sends %s', async (_, input, type, body) => {
  const { received } = await run(input);
  expect(received).toMatchObject({ method: 'POST', url: '/x?own=1', body });
  expect(received?.headers['content-type']).toBe(type);
});

it('sends any method, headers and query', async () => {
  const query = { q: 'a b', tag: ['x', 2], all: true };
  const { received } = await run({ method: 'DELETE', headers: { 'X-Own': 'yes' }, query });
  expect(received).toMatchObject({ method: 'DELETE', url: '/x?own=1&q=a+b&tag=x&tag=2&all=true' });
  expect(received?.headers).toMatchObject({ 'x-own': 'yes' });
});

it.each<[Credential, JsonObject]>([
  [{ type: 'SECRET_TEXT', secretText: 's' }, { authorization: 'Bearer s' }],
  [{ type: 'BASIC_AUTH', username: 'ü', password: 'p:w' }, { authorization: 'Basic w7w6cDp3' }],
  [{ type: 'CUSTOM_AUTH', props: { 'X-Api-Key': 'k' } }, { 'x-api-key': 'k' }],
  [{ type: 'OAUTH2', accessToken: 't', tokenType: 'bearer' }, { authorization: 'Bearer t' }],
  [{ type: 'PLATFORM_OAUTH2', accessToken: 't', tokenType: 'Bearer' }, { authorization: 'Bearer t' }],
])('overrides headers of the input with the credential %j', async (credential, headers) => {
  const own = { Authorization: 'mine', 'x-api-key': 'mine' };
  expect((await run({ headers: own }, {}, credential)).received?.headers).toMatchObject(headers);
});

it('refuses a connection with properties that are not headers, and does not reveal their value', async () => {
  const custom: Credential = { type: 'CUSTOM_AUTH', props: { nested: { secret: 'canary-5d41402a' } } };
  const refused = await run({}, {}, custom).catch((error: Error) => error.message);
  expect(refused).toContain('The connection\'s "nested" must be text');
  expect(refused).not.toContain('canary');
});

it.each<[string, Reply, JsonObject]>([
  ['JSON', { body: '{"a":1}' }, { status: 200, body: { a: 1 } }],
  ['text', { headers: { 'content-type': 'text/html' }, body: '<p>' }, { status: 200, body: '<p>' }],
  ['nothing', { status: 204, body: '' }, { status: 204, body: null }],
  [
    'bytes',
    { headers: { 'content-type': 'application/zip' }, body: Uint8Array.of(0xff, 0) },
    { status: 200, body: { filename: 'x', mimeType: 'application/zip', base64: '/wA=' } },
  ],
])('returns %s with status and headers', async (_, reply, output) => {
  const result = await run({}, reply);
  expect(result.output).toMatchObject(output);
  expect(result.output.headers).toMatchObject(reply.headers ?? {});
});

it('fails with a status outside 2xx unless failOnError is false', async () => {
  const reply = { status: 404, body: '{"message":"No such thing"}' };
  await expect(run({}, reply)).rejects.toMatchObject({ name: 'ProviderError', status: 404, message: 'No such thing' });
  const { output } = await run({ failOnError: false }, reply);
  expect(output).toMatchObject({ status: 404, body: { message: 'No such thing' } });
});

it.each<[string, JsonObject, InputError]>([
  ['two bodies', { json: 1, text: 'a' }, new InputError('text', 'cannot be sent together with "json"')],
  ['an invalid URL', { url: 'https://' }, new InputError('url', 'is not a URL')],
])('refuses %s', async (_, input, error) => {
  await expect(run(input)).rejects.toEqual(error);
});

it('applies timeoutSeconds to the request', async () => {
  const sent: SendRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return { status: 200, headers: {}, body: new Uint8Array(), url };
  };
  const limits: JsonObject[] = [{ timeoutSeconds: 1.5 }, {}];
  for (const input of limits) {
    await runAction(http, 'send_request', { input: { method: 'GET', url, ...input }, send, timeoutMs: 30_000 });
  }
  expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([1500, 30_000]);
});
