// Shapes: none; in full: local
import { type FakeProvider, fakeProvider, type Product, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { expectError } from './support/expect.js';
import { FORMS, type VendorForm } from './support/forms-of-vendors.js';
import { GRANTS, type VendorGrant } from './support/grants-of-vendors.js';
import { fresh } from './support/owned-resources.js';
import { ownProduct } from './support/own-product.js';
import { webOf } from './support/web.js';

/** The operator's OAuth app. */
const APP = { clientId: 'drawbridge', clientSecret: 'secret-of-the-app' };

let product: Product;
let vendor: FakeProvider;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  vendor = await fakeProvider();
  const origins = [...FORMS, ...GRANTS].flatMap((one) => one.origins);
  const ORIGIN_MAP = JSON.stringify(Object.fromEntries(origins.map((origin) => [origin, vendor.url])));
  const OAUTH_APPS = JSON.stringify(Object.fromEntries(GRANTS.map(({ integrationName }) => [integrationName, APP])));
  product = await ownProduct({ env: { ORIGIN_MAP, OAUTH_APPS } });
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

describe.each(FORMS.map((form) => [form.integrationName, form] as const))('the dynamic options of %s', (_, form) => {
  const { route, page, failure, dynamic } = form;

  it('include all pages, although the provider is rate-limited at first', async () => {
    let asked = 0;
    vendor.on(route, (request) => (asked++ === 0 ? BUSY : page(request)));
    const { status, body } = await ask('options', form, {});
    expect({ status, body }).toEqual({ status: 200, body: { options: form.options, disabled: false } });
    expect(asked).toBe(3);
  });

  it('fail with the error of the provider, whatever its status', async () => {
    vendor.on(route, failure.answer);
    const answer = await ask('options', form, {});
    expectError(answer, 400, 'OPTIONS_FAILED');
    expect(answer.body.details.provider).toMatchObject(failure.shown);
  });

  if (!dynamic) return;
  it('have a field for each that the provider returns', async () => {
    vendor.on(dynamic.route, { body: dynamic.answer });
    const { status, body } = await ask('resolve', form, dynamic.question);
    expect(status).toBe(200);
    expect(Object.entries<any>(body.properties).map(([key, { type }]) => [key, type])).toEqual(dynamic.fields);
  });
});

it('the integration stripe sends an idempotency key of the execution', async () => {
  const action = { integrationName: 'stripe', actionName: 'create_customer', input: {} };
  expect(await api.post('/api/v1/actions/execute', { ...action, workspaceId })).toMatchObject({ status: 200 });
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body;
  const keys = vendor.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([`${executions[0].id}-1`]);
});

describe.each(GRANTS.map((grant) => [grant.integrationName, grant] as const))('an OAuth grant of %s', (_, grant) => {
  const { integrationName, authPath, asked, tokenRoute, isBasicJson = false, answer, accessToken, refusal } = grant;

  it('is requested, redeemed and used in the format of the provider', async () => {
    vendor.on(tokenRoute, answer);
    const { sentTo, session, externalId } = await connect(grant);
    expect(sentTo.origin + sentTo.pathname).toBe(vendor.url + authPath);
    const redirectUri = `${product.baseUrl}/connect/callback`;
    const query = { response_type: 'code', client_id: APP.clientId, redirect_uri: redirectUri };
    expect(Object.fromEntries(sentTo.searchParams)).toMatchObject({ ...query, ...asked });

    const { headers, text, body } = vendor.requests[0]!;
    const basic = `Basic ${Buffer.from(`${APP.clientId}:${APP.clientSecret}`).toString('base64')}`;
    expect(headers['authorization']).toBe(isBasicJson ? basic : undefined);
    const proof = isBasicJson ? {} : { client_id: APP.clientId, client_secret: APP.clientSecret };
    const traded = { grant_type: 'authorization_code', code: 'the-code', redirect_uri: redirectUri, ...proof };
    expect(isBasicJson ? body : Object.fromEntries(new URLSearchParams(text))).toMatchObject(traded);

    expect(session).toMatchObject({ status: 'COMPLETED', error: null });
    const form = FORMS.find((one) => one.integrationName === integrationName)!;
    vendor.on(form.route, form.page);
    expect((await ask('options', form, { connectionExternalId: externalId })).body.options).toEqual(form.options);
    expect(vendor.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${accessToken}`);
  });

  it('that the provider refuses fails the session with the reason', async () => {
    vendor.on(tokenRoute, refusal.answer);
    const { session } = await connect(grant);
    expect(session).toMatchObject({ status: 'FAILED', connectionId: null });
    expect(session.error).toContain(refusal.code);
  });
});

/** Consents at the provider and returns with a code. */
async function connect({ integrationName }: VendorGrant) {
  const externalId = fresh();
  const facts = { integrationName, connectionName: 'Mine', externalId, workspaceId };
  const opened = (await api.post('/api/v1/connect/token', facts)).body;
  const web = webOf(product.baseUrl);
  await web.get(`/connect?token=${opened.token}`);
  const { headers } = await web.post(`/connect/${opened.sessionId}/authorize`);
  const sentTo = new URL(headers.get('refresh')!.replace('0; url=', ''));
  await web.get(`/connect/callback?code=the-code&state=${sentTo.searchParams.get('state')}`);
  const { session } = (await api.get(`/api/v1/connect/session/${opened.sessionId}`)).body;
  return { sentTo, session, externalId };
}
