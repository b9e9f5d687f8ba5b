import { readFileSync } from 'node:fs';
import { type Credential, type JsonObject, readAccount, testCredential } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { json, optionsOf, runPiece, type Setting } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itIsAccepted } from '../../testing/witness.js';
import * as documents from './documents.js';
import { shopify } from './index.js';

const PATH = '/admin/api/2026-07/graphql.json';
const schema = buildSchema(readFileSync(new URL('./shopify.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] => checkGraphql(schema, request, PATH);
const credential: Credential = { type: 'CUSTOM_AUTH', props: { shop: 'acme', accessToken: 'canary' } };
const payment = {
  id: 'gid://shopify/OrderTransaction/5',
  kind: 'SALE',
  status: 'SUCCESS',
  gateway: 'shopify_payments',
  amountSet: { shopMoney: { amount: '100.0', currencyCode: 'EUR' } },
};
const order = {
  ...{ id: 'gid://shopify/Order/1', transactions: [{ ...payment, kind: 'AUTHORIZATION' }, payment] },
  fulfillmentOrders: {
    nodes: [
      { id: 'fo1', status: 'OPEN' },
      { id: 'fo2', status: 'CLOSED' },
      { id: 'fo3', status: 'SCHEDULED' },
      { id: 'fo4', status: 'ON_HOLD' },
    ],
  },
};
const setting: Setting = { piece: shopify, credential, reply: () => json({ data: { order } }) };
const asks = (query: string, variables: object): string => `POST ${PATH} ${JSON.stringify({ query, variables })}`;

const ORDER = 'gid://shopify/Order/1';
const order_id = '1';
const fields = { description: '<p>Hot</p>', vendor: 'V', type: 'Tea', tags: ['a'], status: 'DRAFT' };
const FIELDS = { descriptionHtml: '<p>Hot</p>', vendor: 'V', productType: 'Tea', tags: ['a'], status: 'DRAFT' };
const found = (document: string) =>
  [
    [{}, asks(document, { first: 20 })],
    [{ query: 'tea', limit: 50 }, asks(document, { first: 20, query: 'tea' })],
  ] as [JsonObject, string][];

describe('requests', () => {
  itIsAccepted(setting, check, {
    search_orders: found(documents.ORDERS),
    get_order: [[{ order_id }, asks(documents.GET_ORDER, { id: ORDER })]],
    create_order: [
      [
        { lines: [{ variantId: '7', quantity: 2 }] },
        asks(documents.CREATE_ORDER, {
          order: { lineItems: [{ variantId: 'gid://shopify/ProductVariant/7', quantity: 2 }] },
          options: { sendReceipt: false },
        }),
      ],
      [
        {
          ...{
            lines: [{ variantId: 'gid://shopify/ProductVariant/7', quantity: 1 }],
            email: 'a@x.example',
            customer_id: '9',
          },
          ...{ financial_status: 'PAID', note: 'N', tags: ['vip'], send_receipt: true },
        },
        asks(documents.CREATE_ORDER, {
          order: {
            ...{ lineItems: [{ variantId: 'gid://shopify/ProductVariant/7', quantity: 1 }], email: 'a@x.example' },
            customer: { toAssociate: { id: 'gid://shopify/Customer/9' } },
            ...{ financialStatus: 'PAID', note: 'N', tags: ['vip'] },
          },
          options: { sendReceipt: true },
        }),
      ],
    ],
    cancel_order: [
      [
        { order_id, reason: 'CUSTOMER' },
        asks(documents.CANCEL_ORDER, {
          ...{ orderId: ORDER, reason: 'CUSTOMER', restock: false, notifyCustomer: false },
          refundMethod: { originalPaymentMethodsRefund: false },
        }),
      ],
      [
        { order_id, reason: 'FRAUD', refund: true, restock: true, notify_customer: true, note: 'N' },
        asks(documents.CANCEL_ORDER, {
          ...{ orderId: ORDER, reason: 'FRAUD', restock: true, notifyCustomer: true, staffNote: 'N' },
          refundMethod: { originalPaymentMethodsRefund: true },
        }),
      ],
    ],
    fulfill_order: [
      [
        { order_id },
        asks(documents.FULFILLMENT_ORDERS, { id: ORDER }),
        asks(documents.FULFILL, {
          fulfillment: { notifyCustomer: false, lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: 'fo1' }] },
        }),
      ],
      [
        {
          ...{ order_id, tracking_number: 'T1', tracking_company: 'DHL', tracking_url: 'https://dhl.example/T1' },
          notify_customer: true,
        },
        asks(documents.FULFILLMENT_ORDERS, { id: ORDER }),
        asks(documents.FULFILL, {
          fulfillment: {
            ...{ notifyCustomer: true, trackingInfo: { number: 'T1', company: 'DHL', url: 'https://dhl.example/T1' } },
            lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: 'fo1' }],
          },
        }),
      ],
    ],
    refund_order: [
      [
        { order_id, amount: 12.5 },
        asks(documents.PAYMENTS, { id: ORDER }),
        asks(documents.REFUND, {
          input: {
            ...{ orderId: ORDER, notify: false },
            transactions: [
              { orderId: ORDER, kind: 'REFUND', amount: '12.50', parentId: payment.id, gateway: payment.gateway },
            ],
          },
          idempotencyKey: 'run',
        }),
      ],
      [
        { order_id, amount: 1, note: 'N', notify_customer: true },
        asks(documents.PAYMENTS, { id: ORDER }),
        asks(documents.REFUND, {
          input: {
            ...{ orderId: ORDER, notify: true, note: 'N' },
            transactions: [
              { orderId: ORDER, kind: 'REFUND', amount: '1.00', parentId: payment.id, gateway: payment.gateway },
            ],
          },
          idempotencyKey: 'run',
        }),
      ],
    ],
    create_product: [
      [{ title: 'Tea' }, asks(documents.CREATE_PRODUCT, { product: { title: 'Tea' } })],
      [{ title: 'Tea', ...fields }, asks(documents.CREATE_PRODUCT, { product: { title: 'Tea', ...FIELDS } })],
    ],
    update_product: [
      [{ product_id: '5' }, asks(documents.UPDATE_PRODUCT, { product: { id: 'gid://shopify/Product/5' } })],
      [
        { product_id: '5', title: 'Tea', ...fields },
        asks(documents.UPDATE_PRODUCT, { product: { id: 'gid://shopify/Product/5', title: 'Tea', ...FIELDS } }),
      ],
    ],
    search_products: found(documents.PRODUCTS),
    create_customer: [
      [{}, asks(documents.CREATE_CUSTOMER, { input: {} })],
      [
        { email: 'a@x.example', first_name: 'Ada', last_name: 'Lee', phone: '+1555', note: 'N', tags: ['vip'] },
        asks(documents.CREATE_CUSTOMER, {
          input: { email: 'a@x.example', phone: '+1555', note: 'N', tags: ['vip'], firstName: 'Ada', lastName: 'Lee' },
        }),
      ],
    ],
    find_customer: found(documents.CUSTOMERS),
    adjust_inventory: [
      [
        { inventory_item_id: '3', location_id: '4', change: -2 },
        asks(documents.ADJUST_INVENTORY, {
          input: {
            ...{ name: 'available', reason: 'correction' },
            changes: [
              {
                ...{ delta: -2, inventoryItemId: 'gid://shopify/InventoryItem/3', changeFromQuantity: null },
                locationId: 'gid://shopify/Location/4',
              },
            ],
          },
          idempotencyKey: 'run',
        }),
      ],
      [
        { inventory_item_id: '3', location_id: '4', change: 2, reason: 'received' },
        asks(documents.ADJUST_INVENTORY, {
          input: {
            ...{ name: 'available', reason: 'received' },
            changes: [
              {
                ...{ delta: 2, inventoryItemId: 'gid://shopify/InventoryItem/3', changeFromQuantity: null },
                locationId: 'gid://shopify/Location/4',
              },
            ],
          },
          idempotencyKey: 'run',
        }),
      ],
    ],
  });
});

it('sends requests to the shop with its token', async () => {
  const { urls, received } = await runPiece(setting, 'get_order', { order_id });
  expect(urls).toEqual([`https://acme.myshopify.com${PATH}`]);
  expect(received[0]?.headers).toMatchObject({ 'x-shopify-access-token': 'canary' });
  const oauth: Credential = { type: 'OAUTH2', accessToken: 't', tokenType: 'bearer', data: { shop: 'beta' } };
  const other = await runPiece({ ...setting, credential: oauth }, 'get_order', { order_id });
  expect(other.urls).toEqual([`https://beta.myshopify.com${PATH}`]);
  expect(other.received[0]?.headers).toMatchObject({ 'x-shopify-access-token': 't' });
});

it('makes one fulfillment for each location of an order', async () => {
  const place = (id: string | null, name: string) => ({ name, location: id === null ? null : { id } });
  const nodes = [
    { id: 'fo1', status: 'OPEN', assignedLocation: place('l1', 'Shop') },
    { id: 'fo2', status: 'IN_PROGRESS', assignedLocation: place('l2', 'Depot') },
    { id: 'fo3', status: 'OPEN', assignedLocation: place('l1', 'Shop') },
    { id: 'fo4', status: 'OPEN', assignedLocation: place(null, 'Closed') },
  ];
  const reply = ({ body }: Recorded): Reply =>
    body.includes('query FulfillmentOrders')
      ? json({ data: { order: { fulfillmentOrders: { nodes } } } })
      : json({ data: { fulfillmentCreate: { fulfillment: { id: 'f', status: 'SUCCESS' }, userErrors: [] } } });
  const { output, received } = await runPiece({ ...setting, reply }, 'fulfill_order', { order_id });
  const sent = received.slice(1).map(({ body }) => JSON.parse(body).variables.fulfillment.lineItemsByFulfillmentOrder);
  const parts = (...ids: string[]) => ids.map((fulfillmentOrderId) => ({ fulfillmentOrderId }));
  expect(sent).toEqual([parts('fo1', 'fo3'), parts('fo2'), parts('fo4')]);
  expect(output).toEqual({ items: Array(3).fill({ id: 'f', status: 'SUCCESS' }) });
});

it('never rounds an amount', async () => {
  for (const [amount, text] of [
    [12.345, '12.345'],
    [0.1, '0.10'],
    [100, '100.00'],
  ] as const) {
    const { received } = await runPiece(setting, 'refund_order', { order_id, amount });
    expect(JSON.parse(received[1]!.body).variables.input.transactions[0].amount).toBe(text);
  }
});

describe('refund_order of an order with several payments', () => {
  const amountSet = (amount: string) => ({ shopMoney: { amount, currencyCode: 'EUR' } });
  const paid = (id: string, kind: string, amount: string) => ({ ...payment, id, kind, amountSet: amountSet(amount) });
  const refund = (id: string, amount: string, status = 'SUCCESS') => ({
    ...{ id: `r-${id}`, kind: 'REFUND', status, gateway: 'g', amountSet: amountSet(amount), parentTransaction: { id } },
  });
  const refundOf = (amount: number, ...refunds: JsonObject[]) => {
    const transactions = [paid('p1', 'SALE', '10.10'), paid('p2', 'CAPTURE', '20.0'), ...refunds];
    const reply = () => json({ data: { order: { transactions } } });
    return runPiece({ ...setting, reply }, 'refund_order', { order_id, amount });
  };

  it.each<[number, string, JsonObject[]]>([
    [10.1, 'p1', []],
    [10.2, 'p2', []],
    [5, 'p2', [refund('p1', '10.10')]],
    [5, 'p2', [refund('p1', '4.0'), refund('p1', '3.0', 'PENDING')]],
    [5, 'p1', [refund('p1', '10.10', 'FAILURE'), refund('p2', '20.0')]],
    [9.9, 'p1', [refund('p1', '0.1'), refund('p1', '0.1')]],
  ])('refunds %d of the first that has it left: %s', async (amount, parentId, refunds) => {
    const { received } = await refundOf(amount, ...refunds);
    expect(JSON.parse(received[1]!.body).variables.input.transactions).toEqual([
      expect.objectContaining({ parentId, amount: amount.toFixed(2) }),
    ]);
  });

  it.each<[number, string, JsonObject[]]>([
    [20.01, '20.00', []],
    [10, '9.90', [refund('p1', '0.2'), refund('p2', '20.0')]],
  ])('refuses %d if none has it left', async (amount, most, refunds) => {
    await expect(refundOf(amount, ...refunds)).rejects.toMatchObject({
      ...{ name: 'InputError', property: 'amount' },
      message: `must be at most ${most}, the most that one payment of the order has left`,
    });
  });
});

it('returns the total, the customer and the lines of an order', async () => {
  const shown = {
    ...{ id: ORDER, name: '#1', displayFinancialStatus: 'PAID', customer: { id: 'c1', displayName: 'Ada' } },
    ...{ totalPriceSet: { shopMoney: { amount: '9.0', currencyCode: 'EUR' } }, lineItems: { nodes: [{ id: 'l1' }] } },
  };
  const { output } = await runPiece({ ...setting, reply: () => json({ data: { order: shown } }) }, 'get_order', {
    order_id,
  });
  expect(output).toEqual({
    ...{
      id: ORDER,
      name: '#1',
      financialStatus: 'PAID',
      total: '9.0',
      currency: 'EUR',
      customerId: 'c1',
      customer: 'Ada',
    },
    lineItems: [{ id: 'l1' }],
  });
});

it.each<[string, JsonObject, object, string]>([
  ['get_order', { order_id }, { order: null }, 'is not the id'],
  ['fulfill_order', { order_id }, { order: { fulfillmentOrders: { nodes: [] } } }, 'nothing that is not sent'],
  [
    'refund_order',
    { order_id, amount: 1 },
    { order: { transactions: [{ kind: 'SALE', status: 'FAILURE' }] } },
    'no payment',
  ],
])('%s says what is wrong with the order', async (action, input, data, message) => {
  const failing = { ...setting, reply: () => json({ data }) };
  await expect(runPiece(failing, action, input)).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'order_id', message: expect.stringContaining(message) },
  });
});

it.each([
  [
    { data: { productCreate: { userErrors: [{ field: ['product', 'title'], message: 'is blank' }] } } },
    'USER_ERROR',
    'product.title: is blank',
  ],
  [{ errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] }, 'THROTTLED', 'Throttled'],
  [{ errors: 'Not Found' }, undefined, 'Not Found'],
])('reads the failure of %j', async (body, code, message) => {
  const failing = { ...setting, reply: () => json(body) };
  await expect(runPiece(failing, 'create_product', { title: 'x' })).rejects.toMatchObject({
    ...{ name: 'ProviderError', code, message, retryable: code === 'THROTTLED' },
  });
});

it('reads the pages of a list', async () => {
  const pages = ({ body }: Recorded): Reply => {
    const isNext = body.includes('"after":"c1"');
    const pageInfo = { hasNextPage: !isNext, endCursor: 'c1' };
    return json({ data: { products: { nodes: [{ id: isNext ? '2' : '1', variants: { nodes: [] } }], pageInfo } } });
  };
  const { output, received } = await runPiece({ ...setting, reply: pages }, 'search_products', {});
  expect(output).toEqual({
    items: [
      { id: '1', variants: [] },
      { id: '2', variants: [] },
    ],
  });
  expect(received.flatMap(check)).toEqual([]);
});

it('offers the locations', async () => {
  const nodes = [{ id: 'gid://shopify/Location/4', name: 'Shop' }];
  const reply = () => json({ data: { locations: { nodes, pageInfo: { hasNextPage: false } } } });
  const { output, received } = await optionsOf({ ...setting, reply }, ['adjust_inventory', 'location_id']);
  expect(output.options).toEqual([{ label: 'Shop', value: 'gid://shopify/Location/4' }]);
  expect(received.flatMap(check)).toEqual([]);
});

it('tests a credential and names the shop', async () => {
  const { received, send, close } = await startThirdParty(() => json({ data: { shop: { name: 'Acme' } } }));
  await testCredential(shopify, { credential, send });
  expect(await readAccount(shopify, { credential, send })).toEqual({ data: {}, label: 'Acme' });
  await close();
  expect(received.flatMap(check)).toEqual([]);
});
