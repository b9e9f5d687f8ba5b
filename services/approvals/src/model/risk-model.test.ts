import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createEgress, type Egress } from '@drawbridge/egress';
import { type JsonObject } from '@drawbridge/piece-kit';
import { callOf } from '../policies/testing/policies.js';
import { modelOf } from './risk-model.js';

let server: Server;
let egress: Egress;
let url: string;
let answer: { status?: number; body: string; hangsUp?: boolean };
let seen: { path?: string; headers: IncomingHttpHeaders; body: any }[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ path: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    if (answer.hangsUp) return void request.socket.destroy();
    response.writeHead(answer.status ?? 200).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  egress = createEgress({ allow: ['127.0.0.1'] });
});
beforeEach(() => void (seen = []));
afterAll(async () => {
  await egress.close();
  await new Promise((resolve) => server.close(resolve));
});

const says = (content: unknown): string => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
const question = {
  policy: { name: 'P', description: 'No refunds.', id: 'p1' },
  call: callOf({ input: { to: 'ann', token: 'hush' } }),
  shown: { to: 'ann' } as JsonObject,
  isWhole: true,
};
const ask = (through: Egress = egress, changes: Partial<typeof question> = {}) =>
  modelOf({ url, model: 'judge', key: 'k1' }, () => through.sendFor('acme'))({ ...question, ...changes });

it('tells the model the policy and what a reviewer would see, with its key, and goes by its answer', async () => {
  answer = { body: says('{"risky": false, "reason": "a greeting"}') };
  expect(await ask()).toEqual({ isRisky: false, reason: 'a greeting' });
  const [{ path, headers, body }] = seen as [(typeof seen)[0]];
  expect([path, headers.authorization, body.model]).toEqual(['/v1/chat/completions', 'Bearer k1', 'judge']);
  const told = JSON.parse(body.messages.at(-1).content);
  expect(told.policy).toEqual({ name: 'P', description: 'No refunds.' });
  expect(JSON.parse(told.call)).toMatchObject({ actionName: 'send_message', category: 'send', input: { to: 'ann' } });
  expect(JSON.stringify(body)).not.toContain('hush');
});

it.each([
  ['{"risky": true, "reason": "a refund"}', { isRisky: true, reason: 'a refund' }],
  ['```json\n{"risky": false}\n```', { isRisky: false, reason: 'it gave no reason' }],
  [`{"risky": true, "reason": "${'r'.repeat(500)}"}`, { isRisky: true, reason: expect.stringMatching(/^r{190,200}/) }],
])('reads %s', async (content, verdict) => {
  answer = { body: says(content) };
  expect(await ask()).toEqual(verdict);
});

const NO_VERDICT = 'it gave no verdict';

describe('is in doubt, and so at risk, where the model', () => {
  it.each<[string, typeof answer, string]>([
    ['fails', { status: 500, body: says('{"risky": false}') }, 'it gave no verdict (status 500)'],
    ['leads elsewhere', { status: 302, body: '' }, 'it gave no verdict (status 302)'],
    ['hangs up', { body: '', hangsUp: true }, 'it gave no verdict (UNREACHABLE)'],
    [
      'says too much',
      { body: says(`{"risky": false, "reason": "${'r'.repeat(70_000)}"}`) },
      'it gave no verdict (TOO_LARGE)',
    ],
    ['speaks no JSON', { body: 'risky: false' }, NO_VERDICT],
    ['chooses nothing', { body: '{"choices": []}' }, NO_VERDICT],
    ['refuses', { body: says(null) }, NO_VERDICT],
    ['chats', { body: says('It is not risky: {"risky": false}') }, NO_VERDICT],
    ['says a word for a boolean', { body: says('{"risky": "false"}') }, NO_VERDICT],
    ['answers null', { body: says('null') }, NO_VERDICT],
  ])('%s', async (_what, given, reason) => {
    answer = given;
    expect(await ask()).toEqual({ isRisky: true, reason, isDoubt: true });
  });

  it('may not be reached', async () => {
    const guarded = createEgress();
    expect(await ask(guarded)).toEqual({ isRisky: true, reason: 'it gave no verdict (EGRESS_DENIED)', isDoubt: true });
    await guarded.close();
  });

  it.each<[string, Partial<typeof question>]>([
    ['is too long', { shown: { pad: 'x'.repeat(16_384), to: 'eve' } }],
    ['is not shown in full', { isWhole: false }],
  ])('is not sent a call that %s', async (_what, changes) => {
    answer = { body: says('{"risky": false}') };
    expect(await ask(egress, changes)).toEqual({
      isRisky: true,
      reason: 'the model cannot see the whole input',
      isDoubt: true,
    });
    expect(seen).toEqual([]);
  });

  it('is not configured', async () => {
    const none = modelOf(undefined, () => egress.sendFor('acme'));
    expect(await none(question)).toEqual({ isRisky: true, reason: 'no model is configured', isDoubt: true });
    expect(seen).toEqual([]);
  });
});
