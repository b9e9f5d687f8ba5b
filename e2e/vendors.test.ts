// Shapes: local
import { type FakeProvider, fakeProvider, type Product, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { expectError } from './support/expect.js';
import { FORMS, type VendorForm } from './support/forms-of-vendors.js';
import { ownProduct } from './support/own-product.js';

let product: Product;
let vendor: FakeProvider;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  vendor = await fakeProvider();
  const ORIGIN_MAP = JSON.stringify(
    Object.fromEntries(FORMS.flatMap(({ origins }) => origins).map((origin) => [origin, vendor.url])),
  );
  product = await ownProduct({ env: { ORIGIN_MAP } });
  api = apiOf(product.baseUrl, product.key);
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'Forms', slug: 'forms' })).body.workspace.id;
  for (const { integrationName, credential } of FORMS) {
    const names = { integrationName, displayName: integrationName, externalId: integrationName, scope: 'WORKSPACE' };
    const { body } = await api.post('/api/v1/connections', { ...names, ...credential, workspaceId });
    const configured = { integrationName, connectionId: body.connection.id };
    await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, configured);
  }
});
afterAll(async () => {
  await product?.stop();
  await vendor?.stop();
});
beforeEach(() => vendor.reset());

const ask = (path: string, { integrationName, question }: VendorForm, property: object): Promise<Answer> =>
  api.post(`/api/v1/integrations/${integrationName}/properties/${path}`, { workspaceId, ...question, ...property });

const BUSY: ProviderBehaviour = { status: 429, headers: { 'retry-after': '0' }, body: {} };

describe.each(FORMS.map((form) => [form.integrationName, form] as const))('a form of %s', (_, form) => {
  const { route, page, failure, dynamic } = form;

  it('offers what stands on all pages, though its third party is busy at first', async () => {
    let asked = 0;
    vendor.on(route, (request) => (asked++ === 0 ? BUSY : page(request)));
    const { status, body } = await ask('options', form, {});
    expect({ status, body }).toEqual({ status: 200, body: { options: form.options, disabled: false } });
    expect(asked).toBe(3);
  });

  it('fails with what its third party says, whatever the status', async () => {
    vendor.on(route, failure.answer);
    const answer = await ask('options', form, {});
    expectError(answer, 400, 'OPTIONS_FAILED');
    expect(answer.body.details.provider).toMatchObject(failure.shown);
  });

  if (!dynamic) return;
  it('has a field for each that its third party names', async () => {
    vendor.on(dynamic.route, { body: dynamic.answer });
    const { status, body } = await ask('resolve', form, dynamic.question);
    expect(status).toBe(200);
    expect(Object.entries<any>(body.properties).map(([key, { type }]) => [key, type])).toEqual(dynamic.fields);
  });
});

it('writes to Stripe under a key of the execution', async () => {
  const action = { integrationName: 'stripe', actionName: 'create_customer', input: {} };
  expect(await api.post('/api/v1/actions/execute', { ...action, workspaceId })).toMatchObject({ status: 200 });
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body;
  const keys = vendor.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([`${executions[0].id}-1`]);
});
