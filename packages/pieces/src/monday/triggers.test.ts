import { readFileSync } from 'node:fs';
import { type JsonObject, type WebhookTrigger } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded } from '../../testing/third-party.js';
import { monday } from './index.js';

const schema = buildSchema(readFileSync(new URL('./monday.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] => checkGraphql(schema, request, '/v2');
const SECRET = 'a'.repeat(64);
const proof = proofOf(SECRET, 0);
const webhookUrl = 'https://gateway.example/api/v1/webhooks/monday/1';
const credential = { type: 'SECRET_TEXT', secretText: 'canary' } as const;
const triggers = Object.entries(monday.triggers ?? {}) as [string, WebhookTrigger][];
const EVENTS: Record<string, [event: string, sent: JsonObject, id: string]> = {
  item_created: ['create_item', { type: 'create_pulse', pulseId: 7 }, '7'],
  column_changed: [
    'change_column_value',
    { type: 'update_column_value', pulseId: 7, columnId: 'status', changedAt: 1.5 },
    '7 status 1.5',
  ],
  update_posted: ['create_update', { type: 'create_update', pulseId: 7, updateId: 8 }, '8'],
};
const at = (key: string, body: unknown) => ({ ...inbound(body), url: `/api/v1/webhooks/monday/1?key=${key}` });
const variablesOf = (received: Recorded[]): unknown[] => received.map(({ body }) => JSON.parse(body).variables);

describe.each(triggers)('%s', (name, trigger) => {
  const [event, sent, id] = EVENTS[name]!;
  const setting = { piece: monday, credential, reply: () => json({ data: { create_webhook: { id: 'w1' } } }) };

  it('subscribes to a board with a secret in the URL, and ends that', async () => {
    const hook = { webhookUrl, secret: SECRET };
    const made = await runTrigger(setting, { board_id: '1' }, (context) => trigger.enable({ ...context, ...hook }));
    expect(made.output).toEqual({ state: { id: 'w1' } });
    expect(variablesOf(made.received)).toEqual([{ board: '1', url: `${webhookUrl}?key=${SECRET}`, event }]);
    const ended = await runTrigger(setting, { board_id: '1' }, (context) =>
      trigger.disable({ ...context, ...hook, state: { id: 'w1' } }),
    );
    expect(variablesOf(ended.received)).toEqual([{ id: 'w1' }]);
    expect([...made.received, ...ended.received].flatMap(check)).toEqual([]);
  });

  it('accepts that a user has removed the webhook', async () => {
    const disable = (code: string) =>
      runTrigger(
        { ...setting, reply: () => json({ errors: [{ message: 'No', extensions: { code } }] }) },
        { board_id: '1' },
        (context) => trigger.disable({ ...context, webhookUrl, secret: SECRET, state: { id: 'w1' } }),
      );
    await disable('ResourceNotFoundException');
    await expect(disable('UserUnauthorizedException')).rejects.toThrow('No');
  });

  it('answers the challenge', () => {
    expect(trigger.handshake!(inbound({ challenge: 'abc' }), proof)).toMatchObject({ body: '{"challenge":"abc"}' });
    expect(trigger.handshake!(inbound({ event: sent }), proof)).toBeUndefined();
  });

  it('reads an event whose URL has the secret', () => {
    const request = at(SECRET, { event: sent });
    expect(trigger.verify(request, proof)).toBe(true);
    expect(trigger.events(request, {})).toEqual([{ id, data: sent }]);
  });

  it('refuses a request without the secret, and throws for one that it cannot read', () => {
    expect(trigger.verify(at('b'.repeat(64), { event: sent }), proof)).toBe(false);
    expect(trigger.verify(inbound({ event: sent }), proof)).toBe(false);
    expect(trigger.verify(at('', { event: sent }), { ...proof, secret: '' })).toBe(false);
    expect(() => trigger.events(at(SECRET, { event: {} }), {})).toThrow('is not an event');
  });
});

it('column_changed subscribes to one column', async () => {
  const reply = () => json({ data: { create_webhook: { id: 'w1' } } });
  const [, trigger] = triggers.find(([name]) => name === 'column_changed')!;
  const { received } = await runTrigger(
    { piece: monday, credential, reply },
    { board_id: '1', column_id: 'status' },
    (context) => trigger.enable({ ...context, webhookUrl, secret: SECRET }),
  );
  expect(variablesOf(received)).toMatchObject([
    { event: 'change_specific_column_value', config: '{"columnId":"status"}' },
  ]);
  expect(received.flatMap(check)).toEqual([]);
});
