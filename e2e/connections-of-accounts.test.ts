// Shapes: local
import { type AccountProduct, accountProduct, issueTokens, NAME } from './support/account-product.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';

let its: AccountProduct;

beforeAll(async () => (its = await accountProduct()));
afterAll(() => its?.stop());
beforeEach(() => {
  for (const provider of [its.acme, its.evil]) provider.reset();
  issueTokens(its.acme, 'acme');
});
afterEach(() => expect(its.evil.connections()).toBe(0));

const asked = (): string[] => its.acme.requests.map(({ method, url }) => `${method} ${url}`);
const usedToken = (): unknown => its.acme.requests.at(-1)!.headers['authorization'];

describe('a connection that is created directly', () => {
  let made = 0;
  const create = (fields: object, integrationName = NAME) =>
    its.api.post('/api/v1/connections', {
      ...{ integrationName, displayName: 'Direct', externalId: `direct-${++made}`, workspaceId: its.workspaceId },
      ...fields,
    });
  const OAUTH = { type: 'OAUTH2', accessToken: 't' };
  const GOOD = { subdomain: 'acme', instanceUrl: 'https://acme.my.example' };

  it.each<[string, object, string]>([
    ['without a value of the account', { ...OAUTH, data: { instanceUrl: GOOD.instanceUrl } }, 'data.subdomain'],
    ['without data', OAUTH, 'data.subdomain'],
    [
      "from the operator's app",
      { ...OAUTH, type: 'PLATFORM_OAUTH2', data: { ...GOOD, subdomain: 'evil.com/' } },
      'data.subdomain',
    ],
    ['with a number', { ...OAUTH, data: { ...GOOD, subdomain: 7 } }, 'data.subdomain'],
    ['with an object', { ...OAUTH, data: { ...GOOD, subdomain: {} } }, 'data.subdomain'],
    ['without its origin', { ...OAUTH, data: { subdomain: 'acme' } }, 'data.instanceUrl'],
    ['with another scheme', { ...OAUTH, data: { ...GOOD, instanceUrl: 'javascript:1' } }, 'data.instanceUrl'],
    ['with a hostile prop', { type: 'CUSTOM_AUTH', props: { subdomain: 'a@evil', apiKey: 'k' } }, 'props.subdomain'],
    ['without a prop', { type: 'CUSTOM_AUTH', props: { apiKey: 'k' } }, 'props.subdomain'],
    ['with a key that leaves its path', { type: 'SECRET_TEXT', secretText: '..' }, 'secretText'],
  ])('is refused %s', async (_what, fields, key) => {
    const { status, body } = await create(fields);
    expect({ status, code: body.error?.code ?? body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(JSON.stringify(body)).toContain(`"${key}"`);
  });

  it('is refused where the address needs what afterConnect would read', async () => {
    const refused = await create(OAUTH, 'test-cloud');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('"data.cloudId"');
    expect((await create({ ...OAUTH, data: { cloudId: 'c1' } }, 'test-cloud')).status).toBe(201);
  });

  it('is used and refreshed at the address of its account', async () => {
    const fields = { ...OAUTH, refreshToken: 'r', expiresIn: 3_600, data: GOOD };
    const { status, body } = await create(fields);
    expect(status).toBe(201);
    await its.expire(body.connection.id);
    expect((await its.execute(body.connection.externalId)).body.output).toEqual({ account: 'acme' });
    expect(usedToken()).toBe('Bearer access-acme-1');
    for (const more of [
      { type: 'CUSTOM_AUTH', props: { subdomain: 'acme', apiKey: 'k' } },
      { type: 'BASIC_AUTH', username: 'u', password: 'p' },
      { type: 'SECRET_TEXT', secretText: 'k' },
    ])
      expect((await create(more)).status).toBe(201);
  });
});

it('a connection without a value of its address must be reconnected, and sends no request', async () => {
  const direct = { type: 'OAUTH2', accessToken: 't', refreshToken: 'r', expiresIn: 3_600, data: { cloudId: 'c' } };
  const facts = { integrationName: 'test-cloud', displayName: 'Old', externalId: 'old', workspaceId: its.workspaceId };
  const { id } = (await its.api.post('/api/v1/connections', { ...facts, ...direct })).body.connection;
  // Simulates a piece with an account field that did not exist when the connection was created.
  const sql = 'UPDATE connections.connections SET integration_name = $2 WHERE id = $1';
  await rowsOf(its.product.databaseUrl, sql, [id, NAME]);
  const failed = await its.execute('old');
  expect(failed).toMatchObject({ status: 400 });
  expect(JSON.stringify(failed.body)).toContain("The connection's instanceUrl is absent. Connect the account again.");
  await its.expire(id);
  const refused = await its.execute('old');
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('CONNECTION_REQUIRED');
  const { connection } = (await its.api.get(`/api/v1/connections?id=${id}`)).body;
  expect(connection).toMatchObject({ status: 'ERROR', error: { code: 'connection_incomplete' } });
  await its.api.delete(`/api/v1/connections/${id}`);
  await eventually(async () => expect(its.product.logs()).toContain('could not revoke a grant'));
  expect(asked()).toEqual([]);
});
