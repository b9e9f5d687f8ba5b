import { createHmac } from 'node:crypto';
import { type JsonValue, routeKeys } from '@drawbridge/piece-kit';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { xero } from './index.js';

const SECRET = 'webhook-key';
const proof = proofOf(SECRET, 0);
const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: { tenantId: 't1' } } as const;

function trigger(name: string) {
  const found = xero.triggers?.[name];
  if (found?.kind !== 'app-webhook') throw new Error(`${name} is not of the app`);
  return found;
}

const signed = (body: string, secret = SECRET) =>
  inbound(body, { 'x-xero-signature': createHmac('sha256', secret).update(body).digest('base64') });
const event = (resourceId: string, changes: object = {}) => ({
  ...{ resourceId, resourceUrl: `https://api.xero.com/${resourceId}`, eventDateUtc: '2026-01-31T09:00:00.000' },
  ...{ eventType: 'CREATE', eventCategory: 'INVOICE', tenantId: 't1', tenantType: 'ORGANISATION', ...changes },
});
const body = (...events: object[]) =>
  JSON.stringify({ events, firstEventSequence: 1, lastEventSequence: 9, entropy: 'x' });
const BATCH = body(
  event('i1'),
  event('i2', { eventType: 'UPDATE' }),
  event('i3', { tenantId: 't2' }),
  event('c1', { eventCategory: 'CONTACT' }),
);

describe.each(['invoice_created', 'invoice_paid', 'contact_created'])('%s', (name) => {
  it('accepts signed requests for the organizations that they name', () => {
    expect(trigger(name).verify(signed(BATCH), proof)).toBe(true);
    expect(trigger(name).verify(signed(BATCH, 'other'), proof)).toBe(false);
    expect(trigger(name).verify(inbound(BATCH), proof)).toBe(false);
    expect([...new Set(routeKeys(trigger(name), signed(BATCH)))]).toEqual(['t1', 't2']);
    // The request that validates the URL contains no events.
    expect(trigger(name).verify(signed(body()), proof)).toBe(true);
    expect(routeKeys(trigger(name), signed(body()))).toEqual([]);
  });

  const subscribe = (data: { [name: string]: string }, tenants: string[]) =>
    runTrigger(
      {
        piece: xero,
        credential: { ...credential, data },
        reply: () => json(tenants.map((tenantId) => ({ tenantId }))),
      },
      {},
      (context) => trigger(name).subscribe(context),
    );

  it('belongs to the organization of its connection', async () => {
    const { output, received } = await subscribe({ tenantId: 't1' }, ['t0', 't1']);
    expect([output, received.map(({ method, url }) => `${method} ${url}`)]).toEqual(['t1', ['GET /connections']]);
    await expect(subscribe({}, ['t1'])).rejects.toThrow('no organization');
  });

  it('does not belong to an organization that the token cannot access', async () => {
    await expect(subscribe({ tenantId: 'of-a-stranger' }, ['t1'])).rejects.toThrow('no access');
    await expect(subscribe({ tenantId: 'of-a-stranger' }, [])).rejects.toThrow('no access');
  });
});

it.each([
  ['invoice_created', 't1', ['i1']],
  ['invoice_created', 't2', ['i3']],
  ['contact_created', 't1', ['c1']],
])('%s reads the events of %s', (name, tenant, expected) => {
  const events = trigger(name).events!(signed(BATCH), {}, tenant);
  expect(events.map(({ id }) => id)).toEqual(expected);
  const [id] = expected;
  expect(events[0]?.data).toEqual({ id, url: `https://api.xero.com/${id}`, at: '2026-01-31T09:00:00.000Z' });
});

async function poll(reply: (request: Recorded) => Reply, cursor?: JsonValue) {
  const { output, received } = await runTrigger({ piece: xero, credential, reply }, {}, (context) =>
    trigger('invoice_paid').poll!({ ...context, cursor }),
  );
  return { ...output, received };
}

it('invoice_paid returns each paid invoice once', async () => {
  const at = (ms: number) => `/Date(${ms}+0000)/`;
  const paid = (InvoiceID: string, ms: number) => ({ InvoiceID, Status: 'PAID', UpdatedDateUTC: at(ms) });
  const first = await poll(() => json({ Invoices: [paid('i1', 1_769_850_000_000)] }));
  expect(first.events).toEqual([]);
  const Invoices = [paid('i2', 1_769_850_060_000), paid('i1', 1_769_850_000_000)];
  const next = await poll(() => json({ Invoices }), first.cursor);
  expect(next.events).toEqual([
    { id: 'i2', data: { InvoiceID: 'i2', Status: 'PAID', UpdatedDateUTC: '2026-01-31T09:01:00.000Z' } },
  ]);
  const [request] = next.received;
  expect(request?.url).toContain('where=Type%3D%3D%22ACCREC%22&Statuses=PAID&order=UpdatedDateUTC+DESC&page=1');
  expect(request?.headers['if-modified-since']).toBe('2026-01-31T09:00:00');
});

it.each([
  ['its day', '2026-01-31T00:00:00Z', ['i2']],
  // The date is a day of the time zone of the organization.
  ['the next day', '2026-02-01T00:00:00Z', ['i2']],
  ['the month before', '2025-12-31T00:00:00Z', ['i2']],
  ['the month before, and is only changed now', '2025-12-30T00:00:00Z', []],
  ['a year before, and is only changed now', '2025-01-31T00:00:00Z', []],
])('invoice_paid for an invoice that was paid on %s', async (_, paidOn, expected) => {
  const at = (time: string) => `/Date(${Date.parse(time)}+0000)/`;
  const invoice = (InvoiceID: string, FullyPaidOnDate: string, UpdatedDateUTC: string) => ({
    ...{ InvoiceID, Status: 'PAID', FullyPaidOnDate: at(FullyPaidOnDate), UpdatedDateUTC: at(UpdatedDateUTC) },
  });
  const i1 = invoice('i1', '2026-01-31T00:00:00Z', '2026-01-31T09:00:00Z');
  const first = await poll(() => json({ Invoices: [i1] }));
  const i2 = invoice('i2', paidOn, '2026-01-31T09:01:00Z');
  const next = await poll(() => json({ Invoices: [i2, i1] }), first.cursor);
  expect(next.events.map(({ id }) => id)).toEqual(expected);
  expect(next.cursor).toEqual({ time: '2026-01-31T09:01:00.000Z', ids: ['i2'] });
});
