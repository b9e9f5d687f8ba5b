import { Signature } from '@hubspot/api-client';
import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { appWebhookOf, inbound, json, pollingOf, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { hubspot } from './index.js';

const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' } as const;
const secret = 'of the app';
const description = readDescription('hubspot');
const check = by(description);

const appWebhook = (name: string) => appWebhookOf(hubspot, name);

describe.each(['contact_created', 'deal_stage_changed'])('%s', (name) => {
  const now = Date.now();
  const { webhookUrl } = proofOf(secret, now);
  const body = JSON.stringify([{ portalId: 1, subscriptionType: 'contact.creation' }]);
  const given = { clientSecret: secret, requestBody: body, url: webhookUrl, signatureVersion: 'v3', timestamp: now };
  const sign = (more: Partial<typeof given> & { method?: string } = {}) => {
    const { method = 'POST', ...options } = { ...given, ...more };
    return Signature.getSignature(method, options.signatureVersion, { ...options, signature: '' });
  };

  it.each<[string, string, object, boolean]>([
    ['as HubSpot signs it', sign(), {}, true],
    ['five minutes old', sign({ timestamp: now - 299_000 }), { timestamp: now - 299_000 }, true],
    ['older', sign({ timestamp: now - 301_500 }), { timestamp: now - 301_500 }, false],
    ['of another time', sign(), { timestamp: now - 1_000 }, false],
    ['of another secret', sign({ clientSecret: 'other' }), {}, false],
    ['of another body', sign({ requestBody: '[]' }), {}, false],
    ['of another URL', sign({ url: 'https://other.example/' }), {}, false],
    ['of another method', sign({ method: 'PUT' }), {}, false],
    ['of version 2', sign({ signatureVersion: 'v2' }), {}, false],
    ['unsigned', '', {}, false],
  ])("verifies a request %s as HubSpot's client does", (_, signature, more, expected) => {
    const sent = { ...given, ...more, signature };
    const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': String(sent.timestamp) };
    expect(appWebhook(name).verify(inbound(body, headers), proofOf(secret, now))).toBe(expected);
    expect(isOfficial(sent)).toBe(expected);
  });

  it.each<Record<string, string>>([
    {},
    { 'x-hubspot-request-timestamp': 'soon' },
    { 'x-hubspot-request-timestamp': String(now + 301_500) },
  ])('refuses a request with the time %j', (time) => {
    const timestamp = Object.values(time)[0] ?? '';
    const signature = sign({ timestamp: timestamp as unknown as number });
    const headers = { 'x-hubspot-signature-v3': signature, ...time };
    expect(appWebhook(name).verify(inbound(body, headers), proofOf(secret, now))).toBe(false);
  });

  it('routes a request to its accounts', () => {
    const { route } = appWebhook(name);
    expect(route(inbound([{ portalId: 2 }, { portalId: 1 }, { portalId: 2 }, {}, null]))).toEqual(['2', '1']);
    expect(route(inbound({ portalId: 2 }))).toEqual([]);
    expect(route(inbound('not JSON'))).toEqual([]);
  });

  it('asks HubSpot for the account', async () => {
    const setting = { piece: hubspot, credential, reply: () => json({ portalId: 62515 }) };
    const { output, asked } = await runTrigger(setting, {}, (context) => appWebhook(name).subscribe(context));
    expect([output, asked]).toEqual(['62515', ['GET /account-info/v3/details']]);
    const none = runTrigger({ ...setting, reply: () => json({}) }, {}, (context) =>
      appWebhook(name).subscribe(context),
    );
    await expect(none).rejects.toThrow('HubSpot returned an account without an id');
  });
});

function isOfficial(sent: Parameters<typeof Signature.isValid>[0]): boolean {
  try {
    return Signature.isValid(sent);
  } catch {
    return false;
  }
}

describe('events', () => {
  const change = (eventId: number, more: JsonObject): JsonObject => ({
    ...{ eventId, portalId: 62515, occurredAt: 1_769_850_000_000, objectId: 151 },
    ...more,
  });
  const created = change(1, { subscriptionType: 'contact.creation' });
  const generic = change(2, { subscriptionType: 'object.creation', objectTypeId: '0-1' });
  const moved = change(3, { subscriptionType: 'deal.propertyChange', propertyName: 'dealstage', propertyValue: 'won' });
  const ofObject = { subscriptionType: 'object.propertyChange', propertyName: 'dealstage', propertyValue: 'lost' };
  const changed = change(4, { ...ofObject, objectTypeId: '0-3' });
  const others = [
    change(5, { subscriptionType: 'company.creation' }),
    change(6, { subscriptionType: 'object.creation', objectTypeId: '0-2' }),
    change(7, { subscriptionType: 'deal.propertyChange', propertyName: 'amount', propertyValue: '1' }),
    change(8, { ...ofObject, objectTypeId: '0-5' }),
    { ...created, portalId: 9 },
    { ...moved, portalId: 9 },
    { portalId: 62515, subscriptionType: 'contact.creation', eventId: 1 },
  ];
  const request = inbound([created, generic, moved, changed, ...others]);
  const of = (name: string, input: JsonObject = {}) =>
    appWebhook(name)
      .events?.(request, input, '62515')
      .map(({ id }) => id);

  it('are those of the account and the kind', () => {
    expect(appWebhook('contact_created').events?.(request, {}, '62515')[0]).toEqual({
      ...{ id: '1 151 1769850000000', data: created },
    });
    expect(of('contact_created')).toEqual(['1 151 1769850000000', '2 151 1769850000000']);
    expect(of('deal_stage_changed')).toEqual(['3 151 1769850000000', '4 151 1769850000000']);
    expect(of('deal_stage_changed', { stage: 'won' })).toEqual(['3 151 1769850000000']);
    expect(appWebhook('contact_created').events?.(request, {}, undefined)).toEqual([]);
  });
});

const poll = async (name: string, input: JsonObject, answer: (request: Recorded) => JsonValue, cursor?: JsonValue) => {
  const setting = { piece: hubspot, credential, reply: (request: Recorded) => json(answer(request)) };
  const { output, received, asked } = await runTrigger(setting, input, (context) =>
    pollingOf(hubspot, name).poll({ ...context, cursor }),
  );
  return { ...output, received, asked };
};

const NOW = Date.UTC(2026, 0, 31, 10);

describe('record_updated', () => {
  beforeAll(() => void import.meta.jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterAll(() => import.meta.jest.restoreAllMocks());
  const T = (second: number) => `2026-01-31T09:00:${String(second).padStart(2, '0')}.000Z`;
  const row = (id: string, second: number): JsonObject => ({
    ...{ id, properties: { email: `${id}@acme.example` }, createdAt: T(0), updatedAt: T(second), archived: false },
  });
  const settled = `"operator":"LTE","value":"${NOW - 30_000}"`;

  it.each([
    ['contacts', 'lastmodifieddate'],
    ['2-3456789', 'hs_lastmodifieddate'],
  ])('finds changes of %s past the first poll, over several pages', async (object, time) => {
    const input = { object, properties: ['email'] };
    const first = await poll('record_updated', input, () => ({ results: [row('b', 2), row('a', 1)] }));
    expect(first.events).toEqual([]);
    expect(first.asked).toEqual([
      `POST /crm/v3/objects/${object}/search {"filterGroups":[{"filters":[{"propertyName":"${time}",${settled}}]}],` +
        `"sorts":["-${time}"],"properties":["email"],"limit":100,"after":"0"}`,
    ]);
    const pages: Record<string, JsonObject> = {
      0: { results: [row('b', 2), row('c', 2)], paging: { next: { after: '2' } } },
      2: { results: [row('a', 3)] },
    };
    const second = await poll(
      'record_updated',
      input,
      ({ body }) => pages[JSON.parse(body).after] ?? null,
      first.cursor,
    );
    expect(second.events.map(({ id }) => id)).toEqual([`c ${T(2)}`, `a ${T(3)}`]);
    expect(second.events[0]?.data).toEqual(row('c', 2));
    expect(second.asked[0]).toContain(
      `{"propertyName":"${time}","operator":"GTE","value":"${Date.parse(T(2))}"}]}],"sorts":["${time}"]`,
    );
    expect([...first.received, ...second.received].flatMap(check)).toEqual([]);
    expect(checkResponse(description, 'POST /crm/v3/objects/{objectType}/search', pages[0])).toEqual([]);
    const third = await poll('record_updated', input, () => ({ results: [row('a', 3)] }), second.cursor);
    expect(third.events).toEqual([]);
  });
});

it('form_submitted finds submissions past the first poll, also two of the same time', async () => {
  const input = { form_id: '57fd92f5-3d37-4f5c-a9cb-6b1a6d1f2a10' };
  const row = (submittedAt: number, email: string): JsonObject => ({
    ...{ submittedAt, pageUrl: 'https://acme.example', values: [{ name: 'email', value: email, objectTypeId: '0-1' }] },
  });
  const first = await poll('form_submitted', input, () => ({ results: [row(2, 'b'), row(1, 'a')] }));
  expect(first.events).toEqual([]);
  expect(first.asked).toEqual([`GET /form-integrations/v1/submissions/forms/${input.form_id}?limit=50`]);
  const pages: JsonObject[] = [
    { results: [row(3, 'd'), row(2, 'c')], paging: { next: { after: 'x' } } },
    { results: [row(2, 'b'), row(1, 'a')] },
  ];
  const second = await poll(
    'form_submitted',
    input,
    ({ url }) => pages[url.includes('after=x') ? 1 : 0] ?? null,
    first.cursor,
  );
  expect(second.events.map(({ data }) => data)).toEqual([
    { submittedAt: 2, pageUrl: 'https://acme.example', answers: { email: 'c' } },
    { submittedAt: 3, pageUrl: 'https://acme.example', answers: { email: 'd' } },
  ]);
  expect(new Set(second.events.map(({ id }) => id)).size).toBe(2);
  expect((await poll('form_submitted', input, () => pages[0] ?? null, second.cursor)).events).toEqual([]);
});
