// Shapes: none; in full: local
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { ownProduct } from './support/own-product.js';

const PIECE = `export default ({ piece, action, authorizationHeader, ProviderError, shortText }) => piece({
  name: 'acme', displayName: 'Acme', description: 'An API of our own.', categories: ['CORE'],
  origin: 'https://api.acme.example',
  auth: { types: ['SECRET_TEXT'], required: true },
  http: { authorize: authorizationHeader },
  actions: {
    get_thing: action({
      displayName: 'Get thing', description: 'Reads a thing.', category: 'read',
      props: { name: shortText('Name', { required: true }) },
      call: { method: 'GET', path: '/things/{name}' },
    }),
    refuse: action({
      displayName: 'Refuse', description: 'Never works.', category: 'read', props: {},
      run: async () => { throw new ProviderError('No luck', { code: 'no_luck' }); },
    }),
  },
})`;

let folder: string;
let thirdParty: FakeProvider;
let product: Product;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-extra-'));
  writeFileSync(join(folder, 'acme.mjs'), PIECE);
  thirdParty = await fakeProvider();
  const ORIGIN_MAP = JSON.stringify({ 'https://api.acme.example': thirdParty.url });
  product = await ownProduct({ env: { INTEGRATIONS_DIR: folder, ORIGIN_MAP } });
  api = apiOf(product.baseUrl, product.key);
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'Extra', slug: 'extra' })).body.workspace.id;
  const credential = { type: 'SECRET_TEXT', secretText: 'of-acme', integrationName: 'acme' };
  const { status } = await api.post('/api/v1/connections', { ...credential, externalId: 'acme', displayName: 'Acme' });
  expect(status).toBe(201);
});
afterAll(async () => {
  await product?.stop();
  await thirdParty?.stop();
  rmSync(folder, { recursive: true });
});

const execute = (actionName: string, input = {}) =>
  api.post('/api/v1/actions/execute', {
    integrationName: 'acme',
    actionName,
    workspaceId,
    connectionExternalId: 'acme',
    input,
  });

describe('an integration from INTEGRATIONS_DIR', () => {
  it('is in the catalog', async () => {
    const { integration } = (await api.get('/api/v1/integrations?name=acme')).body;
    expect(integration).toMatchObject({ displayName: 'Acme', auth: { type: 'SECRET_TEXT' } });
    expect(Object.keys(integration.actions)).toEqual(['get_thing', 'refuse', 'request']);
  });

  it.each([10, 300_000])('runs an action with a response of %i characters', async (size) => {
    thirdParty.on('GET /things/one', { body: { text: 'x'.repeat(size) } });
    const { status, body } = await execute('get_thing', { name: 'one' });
    expect({ status, length: body.output?.text.length, error: body.error }).toEqual({ status: 200, length: size });
    expect(thirdParty.requests.at(-1)?.headers['authorization']).toBe('Bearer of-acme');
  });

  it('reports a provider error as a built-in integration does', async () => {
    const { status, body } = await execute('refuse');
    expect({ status, code: body.code, provider: body.details.provider }).toMatchObject({
      status: 400,
      code: 'ACTION_FAILED',
      provider: { code: 'no_luck', message: 'No luck' },
    });
  });
});

it('an invalid file in INTEGRATIONS_DIR stops the start with the file and the problem', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'drawbridge-broken-'));
  writeFileSync(join(broken, 'acme.mjs'), 'export default { name: "acme" }');
  const started = ownProduct({ env: { INTEGRATIONS_DIR: broken } });
  await expect(started).rejects.toThrow(`INTEGRATIONS_DIR: ${join(broken, 'acme.mjs')}: displayName must be a text; `);
  rmSync(broken, { recursive: true });
});
