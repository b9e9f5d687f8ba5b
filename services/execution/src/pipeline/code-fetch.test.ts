import { EgressError } from '@drawbridge/egress/egress-error';
import { type Send, type SendRequest } from '@drawbridge/piece-kit';
import { type JsonValue } from '@drawbridge/sandbox';
import { codeFetch } from './code-fetch.js';
import { type RequireRedirect } from './gate.js';

const { signal } = new AbortController();
let sent: SendRequest[];
beforeEach(() => void (sent = []));

const send: Send = async (request) => {
  sent.push(request);
  return { status: 201, headers: { 'x-a': 'b' }, body: Buffer.from('é'), url: request.url };
};

const call = (args: JsonValue[], more: { send?: Send; requireRedirect?: RequireRedirect } = {}) =>
  codeFetch({ send, ...more })({ id: '1', name: 'fetch', args, signal });

it('sends a request within bounds', async () => {
  const answer = await call(['https://a.example/x', { method: 'POST', headers: { a: 'b' }, body: 'c', mode: 'cors' }]);
  expect(answer).toEqual({ status: 201, headers: { 'x-a': 'b' }, body: 'é' });
  expect(sent).toEqual([
    {
      method: 'POST',
      url: 'https://a.example/x',
      headers: { a: 'b' },
      body: 'c',
      timeoutMs: 30_000,
      maxBytes: 2 * 1024 * 1024,
      maxRedirects: 5,
      signal,
    },
  ]);
  await call(['https://a.example/x', { redirect: 'manual' }]);
  expect(sent[1]).toMatchObject({ method: 'GET', maxRedirects: 0, body: undefined });
});

it.each<[JsonValue[]]>([
  [[]],
  [[1]],
  [['https://a.example', { method: 1 }]],
  [['https://a.example', { headers: { a: 1 } }]],
  [['https://a.example', { headers: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, 'b'])) }]],
  [['https://a.example', { body: {} }]],
  [['https://a.example', { body: 'x'.repeat(1024 * 1024 + 1) }]],
])('refuses a request that it cannot send', async (args) => {
  await expect(call(args)).rejects.toMatchObject({ name: 'HostError', code: 'INVALID_REQUEST' });
  expect(sent).toEqual([]);
});

it('evaluates the policies for the first host, which they have not seen', async () => {
  const hosts: string[] = [];
  const requireRedirect: RequireRedirect = async (host) => {
    hosts.push(host);
    if (host === 'bad.example') throw new EgressError('REDIRECT_BLOCKED', 'a policy blocks this host', host);
  };
  await call(['https://Good.example/'], { requireRedirect });
  await expect(call(['https://bad.example/'], { requireRedirect })).rejects.toMatchObject({
    name: 'HostError',
    code: 'REDIRECT_BLOCKED',
  });
  await expect(call(['no url'], { requireRedirect })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(hosts).toEqual(['good.example', 'bad.example']);
  expect(sent).toHaveLength(1);
});

it('shows the errors of egress to the code, and no others', async () => {
  const denied = async () => Promise.reject(new EgressError('EGRESS_DENIED', 'not public', '10.0.0.1'));
  await expect(call(['http://10.0.0.1'], { send: denied })).rejects.toMatchObject({
    name: 'HostError',
    code: 'EGRESS_DENIED',
    message: '10.0.0.1: not public',
  });
  const broken = async () => Promise.reject(new Error('internal'));
  await expect(call(['http://a.example'], { send: broken })).rejects.toMatchObject({ name: 'Error' });
});
