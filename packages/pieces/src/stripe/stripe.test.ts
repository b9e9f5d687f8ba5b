import Stripe from 'stripe';
import { testCredential, type JsonObject } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece } from '../../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { stripe } from './index.js';

const credential = { type: 'SECRET_TEXT', secretText: 'sk_test_canary' } as const;
const setting = { piece: stripe, credential, reply: () => json({ id: 'in_1' }) };

const customer = 'cus_1';
const metadata = { order: '6735' };
const address = { line1: 'Way 1', city: 'Ulm', postal_code: '89073', country: 'DE' };
const items: JsonObject[] = [
  { price: 'price_1', quantity: 2 },
  { unit_amount: 9900, description: 'Support' },
];
const page = 'https://acme.example/done';
const period = { created_after: '2026-01-01T00:00:00Z', created_before: '2026-01-31T23:59:59Z' };
const PERIOD = 'created%5Bgte%5D=1767225600&created%5Blte%5D=1769903999';

const description = readDescription('stripe');

describe('requests', () => {
  itIsAccepted(setting, by(description), {
    create_customer: [
      [{}, 'POST /v1/customers'],
      [
        {
          ...{ email: 'ann@acme.example', name: 'Ann', phone: '+49 731', description: 'A & B', address, metadata },
          preferred_locales: ['de', 'en'],
        },
        'POST /v1/customers email=ann@acme.example&name=Ann&phone=+49 731&description=A & B&address[line1]=Way 1' +
          '&address[city]=Ulm&address[postal_code]=89073&address[country]=DE' +
          '&preferred_locales[]=de&preferred_locales[]=en&metadata[order]=6735',
      ],
    ],
    search_customers: [
      [{ query: 'name~"acme"' }, 'GET /v1/customers/search?query=name%7E%22acme%22&limit=100'],
      [{ query: 'name~"acme"', limit: 7 }, 'GET /v1/customers/search?query=name%7E%22acme%22&limit=7'],
    ],
    create_payment_intent: [
      [{ amount: 1250, currency: 'eur' }, 'POST /v1/payment_intents amount=1250&currency=eur'],
      [
        {
          ...{ amount: 1250, currency: 'eur', customer, payment_method: 'pm_1', automatic_payment_methods: true },
          ...{ confirm: true, off_session: false, return_url: page, capture_method: 'manual', metadata },
          ...{ receipt_email: 'ann@acme.example', description: 'Tea', statement_descriptor_suffix: 'TEA' },
        },
        'POST /v1/payment_intents amount=1250&currency=eur&customer=cus_1&payment_method=pm_1&confirm=true&off_session=false' +
          `&return_url=${page}&capture_method=manual&metadata[order]=6735&receipt_email=ann@acme.example&description=Tea` +
          '&statement_descriptor_suffix=TEA&automatic_payment_methods[enabled]=true',
      ],
    ],
    refund: [
      [{ payment: 'pi_1' }, 'POST /v1/refunds payment_intent=pi_1'],
      [
        { payment: 'ch_1', amount: 5, reason: 'duplicate', metadata },
        'POST /v1/refunds charge=ch_1&amount=5&reason=duplicate&metadata[order]=6735',
      ],
    ],
    create_invoice: [
      [{ customer }, 'POST /v1/invoices customer=cus_1'],
      [
        {
          ...{
            customer,
            items,
            currency: 'eur',
            pending_invoice_items_behavior: 'include',
            days_until_due: 14,
            metadata,
          },
          ...{ collection_method: 'send_invoice', auto_advance: true, description: 'June', footer: 'Thanks' },
        },
        'POST /v1/invoices customer=cus_1&currency=eur&pending_invoice_items_behavior=include&days_until_due=14' +
          '&metadata[order]=6735&collection_method=send_invoice&auto_advance=false&description=June&footer=Thanks',
        'POST /v1/invoiceitems quantity=2&pricing[price]=price_1&customer=cus_1&invoice=in_1',
        'POST /v1/invoiceitems description=Support&unit_amount_decimal=9900&currency=eur&customer=cus_1&invoice=in_1',
        'POST /v1/invoices/in_1 auto_advance=true',
      ],
    ],
    create_checkout: [
      [
        { mode: 'payment', price: 'price_1', success_url: page },
        `POST /v1/checkout/sessions mode=payment&success_url=${page}&line_items[0][price]=price_1&line_items[0][quantity]=1`,
      ],
      [
        {
          ...{ mode: 'subscription', product: 'prod_1', price: 'price_1', quantity: 3, success_url: page, customer },
          ...{ cancel_url: page, customer_email: 'ann@acme.example', client_reference_id: 'cart', metadata },
          allow_promotion_codes: true,
        },
        `POST /v1/checkout/sessions mode=subscription&success_url=${page}&customer=cus_1&cancel_url=${page}` +
          '&customer_email=ann@acme.example&client_reference_id=cart&metadata[order]=6735&allow_promotion_codes=true' +
          '&line_items[0][price]=price_1&line_items[0][quantity]=3',
      ],
    ],
    create_price: [
      [
        { product: 'prod_1', unit_amount: 1250, currency: 'eur' },
        'POST /v1/prices product=prod_1&unit_amount=1250&currency=eur',
      ],
      [
        {
          ...{ product: 'prod_1', unit_amount: 1250, currency: 'eur', interval: 'month', interval_count: 3, metadata },
          ...{ nickname: 'Quarter', lookup_key: 'tea', tax_behavior: 'inclusive' },
        },
        'POST /v1/prices product=prod_1&unit_amount=1250&currency=eur&metadata[order]=6735&nickname=Quarter&lookup_key=tea' +
          '&tax_behavior=inclusive&recurring[interval]=month&recurring[interval_count]=3',
      ],
    ],
    get_balance: [[{}, 'GET /v1/balance']],
    get_customer: [
      [{ customer }, 'GET /v1/customers/cus_1'],
      [{ customer, raw: true }, 'GET /v1/customers/cus_1'],
    ],
    update_customer: [
      [{ customer }, 'POST /v1/customers/cus_1'],
      [
        {
          ...{
            customer,
            email: 'ann@acme.example',
            name: 'Ann',
            phone: '+49 731',
            description: 'A',
            address,
            metadata,
          },
          preferred_locales: ['de'],
        },
        'POST /v1/customers/cus_1 email=ann@acme.example&name=Ann&phone=+49 731&description=A&address[line1]=Way 1' +
          '&address[city]=Ulm&address[postal_code]=89073&address[country]=DE&metadata[order]=6735&preferred_locales[]=de',
      ],
    ],
    list_payments: [
      [{}, 'GET /v1/payment_intents?limit=100'],
      [{ customer, ...period, limit: 7, raw: true }, `GET /v1/payment_intents?customer=cus_1&${PERIOD}&limit=7`],
    ],
    get_payment: [
      [{ payment: 'pi_1' }, 'GET /v1/payment_intents/pi_1'],
      [{ payment: 'pi_1', raw: true }, 'GET /v1/payment_intents/pi_1'],
    ],
    list_invoices: [
      [{}, 'GET /v1/invoices?limit=100'],
      [
        { customer, status: 'open', subscription: 'sub_1', ...period, limit: 7, raw: true },
        `GET /v1/invoices?customer=cus_1&status=open&subscription=sub_1&${PERIOD}&limit=7`,
      ],
    ],
    finalize_invoice: [
      [{ invoice: 'in_1' }, 'POST /v1/invoices/in_1/finalize'],
      [{ invoice: 'in_1', auto_advance: false }, 'POST /v1/invoices/in_1/finalize auto_advance=false'],
    ],
    send_invoice: [[{ invoice: 'in_1' }, 'POST /v1/invoices/in_1/send']],
    create_product: [
      [{ name: 'Tea' }, 'POST /v1/products name=Tea'],
      [
        {
          ...{ name: 'Tea', description: 'Green', unit_amount: 1250, currency: 'eur', interval: 'month', url: page },
          ...{ images: [page], active: false, metadata },
        },
        `POST /v1/products name=Tea&description=Green&url=${page}&images[]=${page}&active=false&metadata[order]=6735` +
          '&default_price_data[unit_amount]=1250&default_price_data[currency]=eur&default_price_data[recurring][interval]=month',
      ],
    ],
    create_subscription: [
      [{ customer, price: 'price_1' }, 'POST /v1/subscriptions customer=cus_1&items[0][price]=price_1'],
      [
        {
          ...{ customer, product: 'prod_1', price: 'price_1', quantity: 3, trial_period_days: 14, days_until_due: 30 },
          ...{
            collection_method: 'send_invoice',
            default_payment_method: 'pm_1',
            payment_behavior: 'default_incomplete',
          },
          ...{ cancel_at_period_end: true, description: 'Tea', metadata },
        },
        'POST /v1/subscriptions customer=cus_1&trial_period_days=14&days_until_due=30&collection_method=send_invoice' +
          '&default_payment_method=pm_1&payment_behavior=default_incomplete&cancel_at_period_end=true&description=Tea' +
          '&metadata[order]=6735&items[0][price]=price_1&items[0][quantity]=3',
      ],
    ],
    cancel_subscription: [
      [{ subscription: 'sub_1' }, 'DELETE /v1/subscriptions/sub_1'],
      [
        { customer, subscription: 'sub_1', at_period_end: false, invoice_now: true, prorate: true },
        'DELETE /v1/subscriptions/sub_1?invoice_now=true&prorate=true',
      ],
      [{ subscription: 'sub_1', at_period_end: true }, 'POST /v1/subscriptions/sub_1 cancel_at_period_end=true'],
    ],
    create_payment_link: [
      [{ price: 'price_1' }, 'POST /v1/payment_links line_items[0][price]=price_1&line_items[0][quantity]=1'],
      [
        {
          ...{ product: 'prod_1', price: 'price_1', quantity: 3, adjustable: true, redirect_url: page, metadata },
          allow_promotion_codes: true,
        },
        'POST /v1/payment_links metadata[order]=6735&allow_promotion_codes=true&line_items[0][price]=price_1' +
          '&line_items[0][quantity]=3&line_items[0][adjustable_quantity][enabled]=true&after_completion[type]=redirect' +
          `&after_completion[redirect][url]=${page}`,
      ],
    ],
  });
});

describe('an invoice', () => {
  const create = (reply: (request: Recorded) => Reply, input: JsonObject = { items, currency: 'eur' }) =>
    runPiece({ ...setting, reply }, 'create_invoice', { customer, ...input });

  it('is deleted when one of its items is refused', async () => {
    const asked: string[] = [];
    const refusal = json(
      { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such price' } },
      400,
    );
    const creating = create(({ method, url, body }) => {
      asked.push(`${method} ${url}`);
      return body.includes('unit_amount') ? refusal : json({ id: 'in_1' });
    });
    await expect(creating).rejects.toMatchObject({ message: 'No such price', code: 'resource_missing', status: 400 });
    expect(asked.slice(-2)).toEqual(['POST /v1/invoiceitems', 'DELETE /v1/invoices/in_1']);
  });

  it('is not created without the currency that its items need', async () => {
    const reply = () => json({ error: { message: 'Nothing should be asked' } }, 500);
    await expect(create(reply, { items })).rejects.toMatchObject({ name: 'InputError', property: 'currency' });
  });
});

describe('outputs', () => {
  const run = async (name: string, input: JsonObject, body: unknown) =>
    (await runPiece({ ...setting, reply: () => json(body) }, name, input)).output;
  const payment = {
    ...{ id: 'pi_1', amount: 1250, amount_received: 0, currency: 'eur', status: 'requires_payment_method' },
    ...{ customer: 'cus_1', description: null, receipt_email: null, payment_method: null, latest_charge: 'ch_1' },
    ...{ canceled_at: null, created: 1_767_225_600, metadata },
  };
  const failed = { ...payment, last_payment_error: { code: 'card_declined', message: 'Declined' } };
  const price = { price: { id: 'price_1', product: 'prod_1' }, quantity: 3, current_period_end: 1_769_903_999 };
  const subscription = {
    ...{ id: 'sub_1', status: 'active', customer: 'cus_1', currency: 'eur', start_date: 1, trial_end: null },
    ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null, latest_invoice: 'in_1', description: null },
    ...{ metadata, created: 1 },
  };

  it.each<[name: string, input: JsonObject, operation: string, answer: [JsonObject, short: JsonObject]]>([
    [
      ...(['get_payment', { payment: 'pi_1' }, 'GET /v1/payment_intents/{intent}'] as const),
      [failed, { ...payment, failure: 'Declined', failure_code: 'card_declined' }],
    ],
    [
      'create_subscription',
      { customer, price: 'price_1' },
      'POST /v1/subscriptions',
      [
        { ...subscription, items: { data: [price] } },
        { ...subscription, prices: ['price_1'], quantities: [3], period_ends: [1_769_903_999] },
      ],
    ],
  ])('%s returns the fields that people need', async (name, input, operation, [body, expected]) => {
    expect(checkResponse(description, operation, body)).toEqual([]);
    expect(await run(name, input, { ...body, client_secret: 'x', object: 'y' })).toEqual(expected);
  });

  const FIELDS: [name: string, input: JsonObject, operation: string][] = [
    ['get_customer', { customer }, 'GET /v1/customers/{customer}'],
    ['create_product', { name: 'Tea' }, 'POST /v1/products'],
    ['finalize_invoice', { invoice: 'in_1' }, 'GET /v1/invoices/{invoice}'],
    ['create_payment_link', { price: 'price_1' }, 'POST /v1/payment_links'],
  ];
  it.each(FIELDS)('%s returns the fields of the description, and no others', async (name, input, operation) => {
    const { properties } = description.operations[operation]?.response as { properties: object };
    const whole = Object.fromEntries([...Object.keys(properties), 'object'].map((key) => [key, key]));
    expect(await run(name, input, whole)).toEqual({ ...whole, object: undefined });
  });

  it('is the whole object on request', async () => {
    const whole = { id: 'pi_1', object: 'payment_intent', client_secret: 'x' };
    expect(await run('get_payment', { payment: 'pi_1', raw: true }, whole)).toEqual(whole);
    const listed = await run('list_invoices', { raw: true }, { data: [whole], has_more: false });
    expect(listed).toEqual({ items: [whole] });
    expect(await run('list_payments', {}, { data: [whole], has_more: false })).toEqual({ items: [{ id: 'pi_1' }] });
  });
});

it.each<[string, JsonObject, string]>([
  ['create_product', { name: 'Tea', unit_amount: 1 }, 'currency'],
  ['create_product', { name: 'Tea', currency: 'eur' }, 'unit_amount'],
  ['cancel_subscription', { subscription: 'sub_1', at_period_end: true, prorate: true }, 'prorate'],
  ['cancel_subscription', { subscription: 'sub_1', at_period_end: true, invoice_now: true }, 'invoice_now'],
])('%s refuses %j', async (name, input, property) => {
  await expect(runPiece(setting, name, input)).rejects.toMatchObject({ name: 'InputError', property });
});

it('sends its pinned version', async () => {
  const { received } = await runPiece(setting, 'get_balance', {});
  expect(received[0]?.headers).toMatchObject({
    'stripe-version': Stripe.API_VERSION,
    authorization: 'Bearer sk_test_canary',
  });
});

it('sends idempotency keys of the run, so that each write happens once', async () => {
  const { received } = await runPiece(setting, 'create_invoice', { customer, items, currency: 'eur' });
  const keys = received.map(({ method, headers }) => [method, headers['idempotency-key']]);
  expect(keys).toEqual([
    ['POST', 'run-1'],
    ['POST', 'run-2'],
    ['POST', 'run-3'],
    ['GET', undefined],
  ]);
});

it("fails with Stripe's message and code, and reports rate limits", async () => {
  const body = { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } };
  const declined = runPiece({ ...setting, reply: () => json(body, 402) }, 'create_payment_intent', {
    amount: 1,
    currency: 'eur',
  });
  await expect(declined).rejects.toMatchObject({
    status: 402,
    code: 'card_declined',
    message: 'Your card was declined.',
  });

  const locked = { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'Locked' } };
  const limited = runPiece({ ...setting, reply: () => json(locked, 429) }, 'refund', { payment: 'pi_1' });
  await expect(limited).rejects.toMatchObject({ status: 429, code: 'lock_timeout', retryable: true });
});

it.each([
  ['accepts a key', 200, undefined],
  ['accepts a restricted key that cannot read the balance', 403, undefined],
  ['refuses a key unknown to Stripe', 401, { name: 'ProviderError', status: 401 }],
])('%s', async (_, status, error) => {
  const { send, close } = await startThirdParty(() => json({ error: { message: 'No' } }, status));
  const outcome = await testCredential(stripe, { credential, send }).catch((thrown: unknown) => thrown);
  await close();
  if (error) expect(outcome).toMatchObject(error);
  else expect(outcome).toBeUndefined();
});
