import { createHmac } from 'node:crypto';
import type { JsonObject, Trigger, WebhookTrigger } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { asana } from './index.js';

const description = readDescription('asana');
const check = by(description);
const credential = { type: 'SECRET_TEXT', secretText: 'asana_canary' } as const;
const webhookUrl = 'https://gateway.example/api/v1/webhooks/asana/1';
const secret = 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81';
const input = { workspace: '1', project: '1401' };

const named = (name: string): WebhookTrigger => requireWebhook(asana.triggers?.[name]);

function requireWebhook(trigger: Trigger | undefined): WebhookTrigger {
  if (trigger?.kind !== 'webhook' || !trigger.events) throw new Error('The trigger is no webhook');
  return trigger;
}

const webhook = (gid: string, target = webhookUrl): JsonObject => ({ gid, target });
const PAGES = [
  { data: [webhook('w0', 'https://other.example'), webhook('w1')], next_page: { offset: 'two' } },
  { data: [webhook('w2')], next_page: null },
];
const CREATED = { data: { gid: 'w3' }, 'X-Hook-Secret': secret };

function reply({ method, url }: Recorded): Reply {
  if (method === 'GET') return json(url.includes('offset=two') ? PAGES[1] : PAGES[0]);
  return method === 'POST' ? json(CREATED, 201) : json({ data: {} });
}
const setting = { piece: asana, credential, reply };

const FILTERS: [string, JsonObject, string][] = [
  ['task_created', {}, '{"resource_type":"task","action":"added"}'],
  ['task_changed', {}, '{"resource_type":"task","action":"changed"}'],
  ['task_changed', { fields: [] }, '{"resource_type":"task","action":"changed"}'],
  [
    'task_changed',
    { fields: ['due_on', 'assignee'] },
    '{"resource_type":"task","action":"changed","fields":["due_on","assignee"]}',
  ],
  ['task_completed', {}, '{"resource_type":"story","resource_subtype":"marked_complete","action":"added"}'],
  ['comment_added', {}, '{"resource_type":"story","resource_subtype":"comment_added","action":"added"}'],
];

it.each(FILTERS)('registers %s once after repeated enabling, with %j', async (name, more, filter) => {
  const { output, asked, received } = await runTrigger(setting, { ...input, ...more }, (context) =>
    named(name).enable({ ...context, webhookUrl, secret: 'not used' }),
  );
  expect(output).toEqual({ state: { id: 'w3' }, secret });
  expect(asked).toEqual([
    'GET /api/1.0/webhooks?workspace=1&resource=1401&limit=100',
    'GET /api/1.0/webhooks?workspace=1&resource=1401&limit=100&offset=two',
    'DELETE /api/1.0/webhooks/w1',
    'DELETE /api/1.0/webhooks/w2',
    `POST /api/1.0/webhooks {"data":{"resource":"1401","target":"${webhookUrl}","filters":[${filter}]}}`,
  ]);
  expect(received.flatMap(check)).toEqual([]);
});

it('reads only fields that the description has', () => {
  expect(PAGES.flatMap((page) => checkResponse(description, 'GET /webhooks', page))).toEqual([]);
  expect(checkResponse(description, 'POST /webhooks', CREATED)).toEqual([]);
});

it('offers only fields of tasks', () => {
  const { body } = description.operations['POST /tasks'] ?? {};
  const known = JSON.stringify(body);
  const fields = named('task_changed').props['fields']?.schema.items?.enum ?? [];
  expect(fields.filter((field) => !known.includes(`"${field}":{`))).toEqual([]);
  expect(fields.length).toBeGreaterThan(5);
});

it.each([{ data: { gid: 'w3' } }, { 'X-Hook-Secret': secret, data: {} }])(
  'fails for the webhook %j',
  async (created) => {
    const answer = ({ method }: Recorded): Reply => json(method === 'POST' ? created : { data: [] });
    const enabled = runTrigger({ ...setting, reply: answer }, input, (context) =>
      named('task_created').enable({ ...context, webhookUrl, secret: 'not used' }),
    );
    await expect(enabled).rejects.toThrow('Asana returned a webhook without a gid or a secret');
  },
);

describe('deletes the webhook', () => {
  const disable = (status: number) =>
    runTrigger({ ...setting, reply: () => json({ data: {} }, status) }, input, (context) =>
      named('task_created').disable({ ...context, state: { id: 'w3' }, webhookUrl, secret }),
    );

  it.each([200, 404, 410])('if Asana responds with %i', async (status) => {
    const { asked, received } = await disable(status);
    expect(asked).toEqual(['DELETE /api/1.0/webhooks/w3']);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('and fails if that is forbidden', async () => {
    await expect(disable(403)).rejects.toMatchObject({ status: 403 });
  });
});

describe.each(['task_created', 'task_changed', 'task_completed', 'comment_added'])('a request to %s', (name) => {
  const trigger = named(name);
  const proof = proofOf(secret, 0);
  const event = trigger.sample;
  const body = JSON.stringify({ events: [event] });
  // The signature is the SHA256 HMAC of the body in hex, with the secret of the handshake as key: https://developers.asana.com/docs/webhooks-guide
  const sign = (text: string, by = secret): string => createHmac('sha256', by).update(text).digest('hex');
  const isVerified = (text: string, signature?: string): boolean =>
    trigger.verify(inbound(text, signature === undefined ? {} : { 'x-hook-signature': signature }), proof);

  it.each<[string, boolean, boolean]>([
    ['signed by Asana', isVerified(body, sign(body)), true],
    ['without events, as a heartbeat', isVerified('{"events":[]}', sign('{"events":[]}')), true],
    ['of another secret', isVerified(body, sign(body, 'other')), false],
    ['of another body', isVerified(`${body} `, sign(body)), false],
    ['in capitals', isVerified(body, sign(body).toUpperCase()), false],
    ['unsigned', isVerified(body), false],
    ['with an empty signature', isVerified(body, ''), false],
  ])('%s', (_, isTrue, expected) => expect(isTrue).toBe(expected));

  it('returns the secret of the handshake and stores none', () => {
    const handshake = (headers: Record<string, string>) => trigger.handshake?.(inbound('', headers), proof);
    expect(handshake({ 'x-hook-secret': secret })).toEqual({ headers: { 'x-hook-secret': secret } });
    expect(handshake({})).toBeUndefined();
    expect(handshake({ 'x-hook-secret': 'a\r\nset-cookie: b' })).toBeUndefined();
    expect(handshake({ 'x-hook-secret': 'a'.repeat(257) })).toBeUndefined();
  });

  it('causes each of its events with an id that stays the same', () => {
    const later = { ...event, created_at: '2026-01-31T09:00:01.000Z' };
    const events = trigger.events(inbound({ events: [event, later] }), input);
    expect(events.map(({ data }) => data)).toEqual([event, later]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    expect(trigger.events(inbound({ events: [later, event] }), input).map(({ id }) => id)).toEqual(
      events.map(({ id }) => id).reverse(),
    );
    expect(events.every(({ id }) => /^[\w-]{43}$/.test(id))).toBe(true);
  });

  it('causes no event if it is a heartbeat, and fails as unreadable if it is no JSON', () => {
    expect(trigger.events(inbound({ events: [] }), input)).toEqual([]);
    expect(trigger.events(inbound({}), input)).toEqual([]);
    expect(() => trigger.events(inbound('not JSON'), input)).toThrow('is not JSON');
  });
});

it('causes one event for a task that is added to the project and to a section', () => {
  const { sample, events } = named('task_created');
  const inSection = { ...sample, parent: { gid: '1601', resource_type: 'section' } };
  const asSubtask = { ...sample, parent: { gid: '1301', resource_type: 'task' } };
  const request = inbound({ events: [sample, inSection, asSubtask, { ...sample, parent: null }] });
  expect(events(request, input).map(({ data }) => data)).toEqual([sample]);
});
