import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { type JsonValue } from '@drawbridge/piece-kit';
import { inbound, json, pollingOf, runTrigger, proofOf, webhookOf } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { linear } from './index.js';
import { issue } from './triggers/issue.js';

const schema = buildSchema(readFileSync(new URL('./linear.fixture.graphql', import.meta.url), 'utf8'));
const credential = { type: 'SECRET_TEXT', secretText: 'lin_api_canary' } as const;
const webhookUrl = 'https://gateway.example/api/v1/webhooks/linear/1';
const secret = 'chosen by us';

/** Returns two webhooks. An earlier attempt created one of them with the same URL. */
function reply({ body }: Recorded): Reply {
  if (body.includes('query Webhooks')) {
    const nodes = [
      { id: 'w0', url: 'https://other.example' },
      { id: 'w1', url: webhookUrl },
    ];
    return json({ data: { webhooks: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } } });
  }
  if (body.includes('gone')) return json({ errors: [{ message: 'Entity not found: Webhook' }] });
  if (body.includes('forbidden')) return json({ errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] });
  return json({ data: { webhookCreate: { success: true, webhook: { id: 'w2' } }, webhookDelete: { success: true } } });
}

const setting = { piece: linear, credential, reply };
const variablesOf = (received: Recorded[]): unknown[] => received.map(({ body }) => JSON.parse(body).variables);

it.each([
  [{}, { allPublicTeams: true }],
  [{ teamId: 't1' }, { teamId: 't1' }],
])('registers the webhook URL once for %j', async (input, where) => {
  const { output, received } = await runTrigger(setting, input, (context) =>
    issue.enable({ ...context, webhookUrl, secret }),
  );
  expect(output).toEqual({ state: { id: 'w2' } });
  const created = { url: webhookUrl, resourceTypes: ['Issue'], secret, label: 'Drawbridge', ...where };
  expect(variablesOf(received)).toEqual([{ first: 50 }, { id: 'w1' }, { input: created }]);
  expect(received.flatMap((request) => checkGraphql(schema, request))).toEqual([]);
});

describe('deletes a webhook', () => {
  const disable = (id: string) =>
    runTrigger(setting, {}, (context) => issue.disable({ ...context, state: { id }, webhookUrl, secret }));

  it.each(['w2', 'gone'])('%s', async (id) => {
    expect(variablesOf((await disable(id)).received)).toEqual([{ id }]);
  });

  it('that exists, and fails if that is forbidden', async () => {
    await expect(disable('forbidden')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a request', () => {
  const now = Date.now();
  const official = new LinearWebhookClient(secret);
  const sign = (body: string, by = secret): string => createHmac('sha256', by).update(body).digest('hex');
  const isOfficial = (body: string, signature: string): boolean => {
    try {
      return official.verify(Buffer.from(body), signature);
    } catch {
      return false;
    }
  };
  const said = (webhookTimestamp?: unknown): string => JSON.stringify({ type: 'Issue', webhookTimestamp });

  // The official verifier reads the clock itself, so the times in these cases are far from the limit. The cases below are close to it.
  it.each<[string, string, string, boolean]>([
    ['as Linear signs it', said(now), sign(said(now)), true],
    ['two minutes old', said(now - 120_000), sign(said(now - 120_000)), false],
    ['two minutes early', said(now + 120_000), sign(said(now + 120_000)), false],
    ['of another secret', said(now), sign(said(now), 'other'), false],
    ['of another body', `${said(now)} `, sign(said(now)), false],
    ['without a time', said(), sign(said()), false],
    ['with a text for a time', said(String(now)), sign(said(String(now))), false],
    ['unsigned', said(now), '', false],
    ['that is no JSON', 'x', sign('x'), false],
  ])("%s is verified as by Linear's library", (_, body, signature, expected) => {
    expect(issue.verify(inbound(body, { 'linear-signature': signature }), proofOf(secret, now))).toBe(expected);
    expect(isOfficial(body, signature)).toBe(expected);
  });

  it.each([
    [60_000, true],
    [60_001, false],
  ])('%i milliseconds old', (age, expected) => {
    const body = said(now - age);
    expect(issue.verify(inbound(body, { 'linear-signature': sign(body) }), proofOf(secret, now))).toBe(expected);
  });

  it('causes its event if the event is subscribed', () => {
    const created = { type: 'Issue', action: 'create', data: { id: 'i1' } };
    const told = inbound(created, { 'linear-delivery': 'd1' });
    expect(issue.events(told, {})).toEqual([{ id: 'd1', data: created }]);
    expect(issue.events(told, { actions: ['create'] })).toHaveLength(1);
    expect(issue.events(told, { actions: ['remove'] })).toEqual([]);
    expect(issue.events(inbound({ type: 'Comment' }, { 'linear-delivery': 'd1' }), {})).toEqual([]);
    expect(issue.events(inbound('not JSON'), {})).toEqual([]);
  });
});

it.each([
  ['comment', 'Comment'],
  ['project', 'Project'],
])('%s subscribes to its type, and reads its events alone', async (name, type) => {
  const trigger = webhookOf(linear, name);
  const { received } = await runTrigger(setting, { teamId: 't1' }, (context) =>
    trigger.enable({ ...context, webhookUrl, secret }),
  );
  expect(variablesOf(received).at(-1)).toMatchObject({ input: { resourceTypes: [type], teamId: 't1' } });
  expect(received.flatMap((request) => checkGraphql(schema, request))).toEqual([]);
  const sent = inbound({ type, action: 'create' }, { 'linear-delivery': 'd1' });
  expect(trigger.events(sent, {})).toEqual([{ id: 'd1', data: { type, action: 'create' } }]);
  expect(trigger.events(inbound({ type: 'Issue' }, { 'linear-delivery': 'd1' }), {})).toEqual([]);
});

it('new_issue finds each new issue of a team once', async () => {
  const nodes = (...ids: string[]) =>
    ids.map((id, at) => ({ id, createdAt: `2026-01-31T09:0${ids.length - at}:00.000Z` }));
  const poll = (cursor: JsonValue | undefined, ...ids: string[]) => {
    const pageInfo = { hasNextPage: false, endCursor: null };
    const answer = () => json({ data: { issues: { nodes: nodes(...ids), pageInfo } } });
    return runTrigger({ ...setting, reply: answer }, { teamId: 't1' }, (context) =>
      pollingOf(linear, 'new_issue').poll({ ...context, cursor }),
    );
  };
  const first = await poll(undefined, 'a');
  expect(first.output.events).toEqual([]);
  const next = await poll(first.output.cursor, 'b', 'a');
  expect(next.output.events.map(({ id }) => id)).toEqual(['b']);
  expect(variablesOf(next.received)).toEqual([
    { filter: { team: { id: { eq: 't1' } }, createdAt: { gte: '2026-01-31T09:01:00.000Z' } }, first: 50 },
  ]);
  expect([...first.received, ...next.received].flatMap((request) => checkGraphql(schema, request))).toEqual([]);
});
