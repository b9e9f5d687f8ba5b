import { createHmac } from 'node:crypto';
import { type JsonObject, type JsonValue, routeKeys } from '@drawbridge/piece-kit';
import { inbound, json, pollingOf, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { hubspot } from './index.js';

const SECRET = 'client-secret';
const NOW = 1_769_850_000_000;
const proof = proofOf(SECRET, NOW);
const credential = { type: 'SECRET_TEXT', secretText: 'canary' } as const;

function appTrigger(name: string) {
  const found = hubspot.triggers?.[name];
  if (found?.kind !== 'app-webhook' || !found.events) throw new Error(`${name} is not of the app`);
  return found;
}

/** Signs as https://developers.hubspot.com/docs/guides/apps/authentication/validating-requests describes version 3. */
function signed(body: string, { secret = SECRET, at = NOW, url = proof.webhookUrl } = {}) {
  const signature = createHmac('sha256', secret).update(`POST${url}${body}${at}`).digest('base64');
  return inbound(body, { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': String(at) });
}

const event = (objectId: number, changes: object = {}) => ({
  ...{ objectId, portalId: 1, occurredAt: NOW, eventId: 5, subscriptionType: 'contact.creation', attemptNumber: 0 },
  ...changes,
});
const moved = { subscriptionType: 'deal.propertyChange', propertyName: 'dealstage', propertyValue: 'won' };
const BATCH = JSON.stringify([
  ...[event(11), event(12, { portalId: 2 }), event(13, moved), event(14, { ...moved, propertyName: 'amount' })],
]);

describe.each(['contact_created', 'deal_stage_changed'])('%s', (name) => {
  const trigger = appTrigger(name);

  it('accepts signed and recent requests to its URL, for the accounts that they name', () => {
    expect(trigger.verify(signed(BATCH), proof)).toBe(true);
    expect(trigger.verify(signed(BATCH, { secret: 'other' }), proof)).toBe(false);
    expect(trigger.verify(signed(BATCH, { at: NOW - 301_000 }), proof)).toBe(false);
    expect(trigger.verify(signed(BATCH, { url: 'https://other.example/x' }), proof)).toBe(false);
    expect(trigger.verify(inbound(BATCH), proof)).toBe(false);
    expect([...new Set(routeKeys(trigger, signed(BATCH)))]).toEqual(['1', '2']);
    expect(routeKeys(trigger, signed('{}'))).toEqual([]);
  });

  it('belongs to the account of its connection', async () => {
    const reply = () => json({ portalId: 1 });
    const { output } = await runTrigger({ piece: hubspot, credential, reply }, {}, (context) =>
      trigger.subscribe(context),
    );
    expect(output).toBe('1');
  });
});

const AT = '2026-01-31T09:00:00.000Z';

it.each([
  ['contact_created', '1', [{ id: `contact.creation 11 ${NOW}`, data: { objectId: '11', occurredAt: AT } }]],
  ['contact_created', '2', [{ id: `contact.creation 12 ${NOW}`, data: { objectId: '12', occurredAt: AT } }]],
  [
    'deal_stage_changed',
    '1',
    [
      {
        id: `deal.propertyChange 13 dealstage ${NOW}`,
        data: { objectId: '13', occurredAt: AT, propertyName: 'dealstage', propertyValue: 'won' },
      },
    ],
  ],
])('%s reads the events of account %s', (name, portal, expected) => {
  expect(appTrigger(name).events(signed(BATCH), {}, portal)).toEqual(expected);
});

async function poll(name: string, input: JsonObject, reply: (request: Recorded) => Reply, cursor?: JsonValue) {
  const { output, asked, received } = await runTrigger({ piece: hubspot, credential, reply }, input, (context) =>
    pollingOf(hubspot, name).poll({ ...context, cursor }),
  );
  return { ...output, asked, received };
}

it.each([
  ['contacts', 'lastmodifieddate'],
  ['deals', 'hs_lastmodifieddate'],
])('record_updated finds changed %s that are a minute old', async (object_type, propertyName) => {
  const record = (id: string, updatedAt: string) => ({ id, updatedAt, properties: {} });
  const first = await poll('record_updated', { object_type }, () => json({ results: [record('1', AT)] }));
  expect(first.events).toEqual([]);
  const later = '2026-01-31T09:01:00.000Z';
  const results = [record('1', AT), record('2', later)];
  const next = await poll('record_updated', { object_type }, () => json({ results }), first.cursor);
  expect(next.events.map(({ id }) => id)).toEqual([`2 ${later}`]);
  const { filterGroups, sorts } = JSON.parse(next.received[0]!.body);
  expect(sorts).toEqual([{ propertyName, direction: 'ASCENDING' }]);
  const [settled, since] = filterGroups[0].filters;
  expect(since).toEqual({ propertyName, operator: 'GTE', value: String(Date.parse(AT)) });
  expect(settled).toMatchObject({ propertyName, operator: 'LT' });
  expect(Date.now() - Number(settled.value)).toBeGreaterThanOrEqual(60_000);
  expect(JSON.parse(first.received[0]!.body).sorts).toEqual([{ propertyName, direction: 'DESCENDING' }]);
});

it('form_submitted returns the values of each submission once', async () => {
  const input = { form_id: '4b6e5d0f-1a2b-4c3d-8e9f-0a1b2c3d4e5f' };
  const sent = (submittedAt: number, value: string) => ({
    submittedAt,
    pageUrl: 'https://x',
    values: [{ name: 'email', value }],
  });
  const first = await poll('form_submitted', input, () => json({ results: [sent(1_000, 'a')] }));
  expect(first.events).toEqual([]);
  expect(first.asked).toEqual([`GET /form-integrations/v1/submissions/forms/${input.form_id}?limit=50`]);
  const results = [sent(2_000, 'c'), sent(2_000, 'b'), sent(1_000, 'a')];
  const next = await poll('form_submitted', input, () => json({ results }), first.cursor);
  expect(next.events.map(({ data }) => data)).toEqual(
    ['b', 'c'].map((email) => ({ submittedAt: 2_000, pageUrl: 'https://x', values: { email } })),
  );
  expect(new Set(next.events.map(({ id }) => id)).size).toBe(2);
});
