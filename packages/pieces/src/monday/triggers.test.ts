import { readFileSync } from 'node:fs';
import { type JsonObject } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { inbound, json, proofOf, runTrigger, webhookOf } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { CREATE_WEBHOOK, DELETE_WEBHOOK, WEBHOOKS } from './documents.js';
import { monday } from './index.js';
import { columnChanged } from './triggers/column-changed.js';

const schema = buildSchema(readFileSync(new URL('./monday.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] => checkGraphql(schema, { ...request, url: '/graphql' });
const credential = { type: 'SECRET_TEXT', secretText: 'monday_canary' } as const;
const webhookUrl = 'https://gateway.example/api/v1/webhooks/monday/1';
const secret = 'chosen+by us';
const ADDRESS = `${webhookUrl}?key=chosen%2Bby%20us`;
const NAMES = ['item_created', 'column_changed', 'update_posted'];

function reply({ body }: Recorded): Reply {
  const { query } = JSON.parse(body) as { query: string };
  if (query === WEBHOOKS) return json({ data: { webhooks: [{ id: '1' }, { id: '2' }] } });
  return json({ data: query === CREATE_WEBHOOK ? { create_webhook: { id: '2' } } : { delete_webhook: { id: '2' } } });
}
const setting = { piece: monday, credential, reply };
const asked = (received: Recorded[]) => received.map(({ body }) => Object.values(JSON.parse(body) as JsonObject));

it.each<[string, JsonObject, JsonObject]>([
  ['item_created', {}, { event: 'create_item' }],
  ['column_changed', {}, { event: 'change_column_value' }],
  [
    'column_changed',
    { column_id: 'status' },
    { event: 'change_specific_column_value', config: '{"columnId":"status"}' },
  ],
  ['update_posted', {}, { event: 'create_update' }],
])('subscribes %s to a board with the secret in the address, with %j', async (name, more, created) => {
  const { output, received } = await runTrigger(setting, { board_id: '10', ...more }, (context) =>
    webhookOf(monday, name).enable({ ...context, webhookUrl, secret }),
  );
  expect(output).toEqual({ state: { id: '2' } });
  expect(asked(received)).toEqual([[CREATE_WEBHOOK, { board_id: '10', url: ADDRESS, ...created }]]);
  expect(received.flatMap(check)).toEqual([]);
});

it.each([
  [
    '2',
    [
      [WEBHOOKS, { board_id: '10' }],
      [DELETE_WEBHOOK, { id: '2' }],
    ],
  ],
  ['gone', [[WEBHOOKS, { board_id: '10' }]]],
])('removes the webhook %s if the board has it', async (id, expected) => {
  const { received } = await runTrigger(setting, { board_id: '10' }, (context) =>
    webhookOf(monday, 'item_created').disable({ ...context, state: { id }, webhookUrl, secret }),
  );
  expect(asked(received)).toEqual(expected);
  expect(received.flatMap(check)).toEqual([]);
});

it('offers the columns of the board', async () => {
  const columns = [{ id: 'status', title: 'Status', archived: false }];
  const form = { ...setting, reply: () => json({ data: { boards: [{ columns }] } }) };
  const load = (input: JsonObject) =>
    runTrigger(form, {}, ({ http, auth, signal }) =>
      Promise.resolve(
        columnChanged.props['column_id']?.loadOptions?.({ http, input, search: undefined, auth, signal }),
      ),
    );
  expect((await load({ board_id: '10' })).output).toEqual([{ label: 'Status', value: 'status' }]);
  expect((await load({})).output).toEqual({ options: [], disabled: true });
});

describe.each(NAMES)('%s', (name) => {
  const trigger = webhookOf(monday, name);
  const proof = proofOf(secret, Date.now());
  const { pathname, search } = new URL(ADDRESS);
  const sent = (body: unknown, query = search) => ({ ...inbound(body), url: `${pathname}${query}` });

  it.each<[string, string, boolean]>([
    ['with the secret', search, true],
    ['without it', '', false],
    ['with another one', '?key=other', false],
    ['with an empty one', '?key=', false],
    ['with another one of its length', search.replace('us', 'me'), false],
    ['with a part of it', search.slice(0, -1), false],
  ])('verifies a request %s', (_, query, expected) => {
    expect(trigger.verify(sent({}, query), proof)).toBe(expected);
    expect(trigger.verify(sent({}, query), { ...proof, secret: '' })).toBe(false);
  });

  it('answers the challenge of an address that has the secret', () => {
    const answer = { headers: { 'content-type': 'application/json' }, body: '{"challenge":"3eZb"}' };
    expect(trigger.handshake?.(sent({ challenge: '3eZb' }), proof)).toEqual(answer);
    expect(trigger.handshake?.(sent({ challenge: '3eZb' }, '?key=x'), proof)).toBeUndefined();
    expect(trigger.handshake?.(sent({ event: {} }), proof)).toBeUndefined();
  });
});

/**
 * The events have the format of the sample payloads: https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events
 */
const EVENTS: [string, JsonObject, string][] = [
  ['item_created', { type: 'create_pulse', boardId: 10, pulseId: 20, triggerUuid: 'a' }, '20'],
  [
    'column_changed',
    { type: 'update_column_value', boardId: 10, pulseId: 20, columnId: 'status', changedAt: 1_769_850_000.94 },
    '20 status 1769850000.94',
  ],
  ['update_posted', { type: 'create_update', boardId: 10, pulseId: 20, updateId: 30, triggerUuid: 'c' }, '30'],
];

it.each(EVENTS)('%s returns its event with the same id for a second subscription', (name, event, id) => {
  const { events, sample } = webhookOf(monday, name);
  expect(events(inbound({ event: sample }), {})).toMatchObject([{ data: sample }]);
  expect(events(inbound({ event }), {})).toEqual([{ id, data: event }]);
  const again = { ...event, subscriptionId: 7, triggerUuid: 'other' };
  expect(events(inbound({ event: again }), {})).toEqual([{ id, data: again }]);
  expect(events(inbound({ event: { ...event, type: 'delete_pulse' } }), {})).toEqual([]);
  expect(events(inbound('not JSON'), {})).toEqual([]);
  expect(() => events(inbound({ event: { type: event['type'] } }), {})).toThrow(
    'The event from monday.com lacks one of',
  );
});
