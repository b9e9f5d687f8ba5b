import type { JsonObject } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { optionsOf, runPiece } from '../../testing/run-piece.js';
import { asStripe, many } from '../../testing/vendors/stripe.js';
import { by } from '../../testing/witness.js';
import { stripe } from './index.js';

const check = by(readDescription('stripe'));
const setting = { piece: stripe, credential: { type: 'SECRET_TEXT', secretText: 'sk_test_canary' } } as const;

it('collects search results page by page up to the limit', async () => {
  const reply = asStripe({ '/v1/customers/search': many(250, 'cus') });
  const { output, received } = await runPiece({ ...setting, reply }, 'search_customers', { query: 'x', limit: 150 });
  expect(output.items).toHaveLength(150);
  expect(received.map(({ url }) => new URL(url, 'http://stripe').searchParams.get('page'))).toEqual([null, '100']);
});

it.each(['list_payments', 'list_invoices'])('%s collects the pages up to the limit', async (name) => {
  const reply = asStripe({ '/v1/payment_intents': many(250, 'x'), '/v1/invoices': many(250, 'x') });
  const { output, received } = await runPiece({ ...setting, reply }, name, { limit: 150 });
  expect(output.items).toHaveLength(150);
  expect(received.map(({ url }) => new URL(url, 'http://stripe').searchParams.get('starting_after'))).toEqual([
    null,
    'x_99',
  ]);
  expect(received.flatMap(check)).toEqual([]);
});

describe('options', () => {
  const reply = asStripe({
    '/v1/customers': [...many(200, 'cus'), { id: 'cus_last', name: null, email: 'zoe@acme.example' }],
    '/v1/customers/search': [{ id: 'cus_9', name: 'Zoë "Z" Zander', email: 'zoe@acme.example' }],
    '/v1/products': [{ id: 'prod_1', name: 'Tea' }],
    '/v1/products/search': [{ id: 'prod_2', name: 'Green tea' }],
    '/v1/invoices': [{ id: 'in_1', number: null, customer_name: 'Ann', customer_email: 'ann@acme.example' }],
    '/v1/subscriptions': [{ id: 'sub_1', status: 'active', description: null }],
    '/v1/prices': [
      { id: 'price_1', unit_amount: 1250, currency: 'eur', nickname: 'Plan', recurring: { interval: 'month' } },
      { id: 'price_2', unit_amount: 1250, currency: 'jpy' },
      { id: 'price_3', unit_amount: null, currency: 'usd' },
    ],
  });
  const offered = async (action: string, property: string, input: JsonObject = {}, search?: string) => {
    const { output, received, asked } = await optionsOf({ ...setting, reply }, [action, property], input, search);
    expect(received.flatMap(check)).toEqual([]);
    return { ...output, asked };
  };

  it('list all customers over several pages', async () => {
    const { options, asked } = await offered('create_invoice', 'customer');
    expect(options).toHaveLength(201);
    expect(options.at(-1)).toEqual({ label: 'zoe@acme.example', value: 'cus_last' });
    expect(asked).toEqual([
      'GET /v1/customers?limit=100',
      'GET /v1/customers?limit=100&starting_after=cus_99',
      'GET /v1/customers?limit=100&starting_after=cus_199',
    ]);
  });

  it('find customers at Stripe by the longest word', async () => {
    const { options, asked } = await offered('create_invoice', 'customer', {}, 'zander "z"');
    expect(options).toEqual([{ label: 'Zoë "Z" Zander, zoe@acme.example', value: 'cus_9' }]);
    expect(decodeURIComponent(asked[0] ?? '')).toContain('query=name~"zander"+OR+email~"zander"');
    expect(decodeURIComponent((await offered('create_invoice', 'customer', {}, 'a"\\b')).asked[0] ?? '')).toContain(
      'query=name~"a\\"\\\\b"',
    );
  });

  it('list invoices by status, and subscriptions of a customer', async () => {
    const ann = [{ label: 'Ann, ann@acme.example, in_1', value: 'in_1' }];
    const drafts = await offered('finalize_invoice', 'invoice');
    expect([drafts.options, drafts.asked]).toEqual([ann, ['GET /v1/invoices?status=draft&limit=100']]);
    const open = await offered('send_invoice', 'invoice');
    expect([open.options, open.asked]).toEqual([ann, ['GET /v1/invoices?status=open&limit=100']]);
    const { options, asked } = await offered('cancel_subscription', 'subscription', { customer: 'cus_1' });
    expect([options, asked]).toEqual([
      [{ label: 'sub_1, active', value: 'sub_1' }],
      ['GET /v1/subscriptions?customer=cus_1&limit=100'],
    ]);
  });

  it('list products, and the prices of the selected one with their amounts', async () => {
    expect((await offered('create_checkout', 'product')).options).toEqual([{ label: 'Tea', value: 'prod_1' }]);
    expect((await offered('create_price', 'product', {}, 'green')).options).toEqual([
      { label: 'Green tea', value: 'prod_2' },
    ]);
    const { options, asked } = await offered('create_checkout', 'price', { product: 'prod_1' });
    expect(asked).toEqual(['GET /v1/prices?active=true&product=prod_1&limit=100']);
    expect(options.map(({ label }) => label)).toEqual(['Plan, 12.50 EUR a month', '1250 JPY', 'USD']);
  });
});
