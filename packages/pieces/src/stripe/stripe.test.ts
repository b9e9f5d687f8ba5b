import { testCredential, type JsonObject } from '@drawbridge/piece-kit';
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

describe('requests', () => {
  itIsAccepted(setting, by(readDescription('stripe')), {
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
        'POST /v1/invoiceitems price=price_1&quantity=2&customer=cus_1&invoice=in_1',
        'POST /v1/invoiceitems unit_amount=9900&description=Support&currency=eur&customer=cus_1&invoice=in_1',
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
    get_customer: [[{ customer }, 'GET /v1/customers/cus_1']],
    update_customer: [
      [{ customer }, 'POST /v1/customers/cus_1'],
      [
        { customer, email: 'ann@acme.example', name: 'Ann', phone: '555', description: 'Tea', metadata },
        'POST /v1/customers/cus_1 email=ann@acme.example&name=Ann&phone=555&description=Tea&metadata[order]=6735',
      ],
    ],
    list_payments: [
      [{}, 'GET /v1/payment_intents?limit=100'],
      [{ customer, limit: 5 }, 'GET /v1/payment_intents?customer=cus_1&limit=5'],
    ],
    get_payment: [[{ payment: 'pi_1' }, 'GET /v1/payment_intents/pi_1']],
    list_invoices: [
      [{}, 'GET /v1/invoices?limit=100'],
      [{ customer, status: 'open', limit: 5 }, 'GET /v1/invoices?customer=cus_1&status=open&limit=5'],
    ],
    finalize_invoice: [
      [{ invoice: 'in_1' }, 'POST /v1/invoices/in_1/finalize'],
      [{ invoice: 'in_1', auto_advance: true }, 'POST /v1/invoices/in_1/finalize auto_advance=true'],
    ],
    send_invoice: [[{ invoice: 'in_1' }, 'POST /v1/invoices/in_1/send']],
    create_product: [
      [{ name: 'Tea' }, 'POST /v1/products name=Tea'],
      [
        { name: 'Tea', description: 'Hot', active: false, url: page, metadata },
        `POST /v1/products name=Tea&description=Hot&active=false&url=${page}&metadata[order]=6735`,
      ],
    ],
    create_subscription: [
      [
        { customer, price: 'price_1' },
        'POST /v1/subscriptions customer=cus_1&items[0][price]=price_1&items[0][quantity]=1',
      ],
      [
        {
          ...{ customer, product: 'prod_1', price: 'price_1', quantity: 3, trial_period_days: 14, metadata },
          ...{ collection_method: 'send_invoice', days_until_due: 7, default_payment_method: 'pm_1' },
        },
        'POST /v1/subscriptions customer=cus_1&trial_period_days=14&metadata[order]=6735&collection_method=send_invoice' +
          '&days_until_due=7&default_payment_method=pm_1&items[0][price]=price_1&items[0][quantity]=3',
      ],
    ],
    cancel_subscription: [
      [{ subscription: 'sub_1' }, 'POST /v1/subscriptions/sub_1 cancel_at_period_end=true'],
      [{ subscription: 'sub_1', at_once: true, prorate: true }, 'DELETE /v1/subscriptions/sub_1 prorate=true'],
      [{ subscription: 'sub_1', at_once: true }, 'DELETE /v1/subscriptions/sub_1'],
    ],
    create_payment_link: [
      [{ price: 'price_1' }, 'POST /v1/payment_links line_items[0][price]=price_1&line_items[0][quantity]=1'],
      [
        { product: 'prod_1', price: 'price_1', quantity: 3, allow_promotion_codes: true, metadata },
        'POST /v1/payment_links allow_promotion_codes=true&metadata[order]=6735&line_items[0][price]=price_1' +
          '&line_items[0][quantity]=3',
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

it('returns the fields of listed payments and invoices that people need', async () => {
  const list = (data: object[]) => ({ ...setting, reply: () => json({ object: 'list', data, has_more: false }) });
  const payment = { id: 'pi_1', amount: 1250, status: 'succeeded', charges: {}, client_secret: 'pi_1_secret' };
  expect((await runPiece(list([payment]), 'list_payments', {})).output).toEqual({
    items: [{ id: 'pi_1', amount: 1250, status: 'succeeded' }],
  });
  const invoice = { id: 'in_1', number: 'A-1', total: 1250, lines: { data: [] } };
  expect((await runPiece(list([invoice]), 'list_invoices', {})).output).toEqual({
    items: [{ id: 'in_1', number: 'A-1', total: 1250 }],
  });
});

it('sends its pinned version', async () => {
  const { received } = await runPiece(setting, 'get_balance', {});
  expect(received[0]?.headers).toMatchObject({
    'stripe-version': '2022-11-15',
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
