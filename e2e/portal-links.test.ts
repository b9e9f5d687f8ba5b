// Shapes: local
import { type Product } from '@drawbridge/testkit';
import { hashToken, hasChecksum } from '@drawbridge/contracts';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP } from './support/expect.js';
import { type MailServer, mailServer } from './support/mail-server.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { ownProduct } from './support/own-product.js';
import { fresh } from './support/owned-resources.js';
import { databaseContents } from './support/stored-contents.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const { afterAll, beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/end-users';
const BASE_URL = 'https://drawbridge.example/in/a/folder';
const IDS = { 'path.id': 'endUserId', 'body.workspaceIntegrationId': 'integrationId' } as const;

export const OPERATIONS: Operations = {
  CreatePortalToken: { call: ({ endUserId: id }) => ({ path: { id }, body: {} }), ids: IDS },
  InviteEndUser: {
    call: ({ endUserId: id }) => ({ path: { id }, body: { email: `${fresh()}@example.com` } }),
    ids: IDS,
    refusal: '400 EMAIL_NOT_CONFIGURED',
  },
};

let mail: MailServer;
let product: Product;
let api: Api;
let workspaceId: string;
let id: string;

beforeAll(async () => {
  mail = await mailServer();
  const env = { SMTP_URL: `smtp://ann:secret@${mail.host}`, MAIL_FROM: 'no-reply@acme.example', BASE_URL };
  product = await ownProduct({ env: { ...env, LOG_LEVEL: 'trace' } });
  api = apiOf(product.baseUrl, product.key);
  workspaceId = await newWorkspace(api);
  id = await person(api, workspaceId);
});
afterAll(async () => {
  await product?.stop();
  await mail.stop();
});

async function person(by: Api, place: string): Promise<string> {
  return (await by.post(PATH, { workspaceId: place, externalId: fresh() })).body.endUser.id;
}

const link = (body: object = {}, of = id): Promise<Answer> => api.post(`${PATH}/${of}/connect-token`, body);
const invite = (body: object = {}): Promise<Answer> =>
  api.post(`${PATH}/${id}/invite`, { email: `${fresh()}@example.com`, ...body });

/** Returns the stored lifetime in seconds of a link and its integration. */
async function kept(token: string): Promise<object[]> {
  const sql = `SELECT integration_name, extract(epoch FROM expires_at - created_at)::int AS seconds
    FROM connections.portal_tokens WHERE token_hashes @> ARRAY[$1]`;
  return rowsOf(product.databaseUrl, sql, [hashToken(token)]);
}

describe.each([
  ['a link', link],
  ['an invitation', invite],
])('%s', (what, ask) => {
  it('returns its token and its expiry, after a week by default', async () => {
    const { status, body } = await ask();
    const { token } = body;
    expect(token).toMatch(/^eut_[0-9A-Za-z]{46}$/);
    expect(hasChecksum(`svc_${token.slice(4)}`)).toBe(true);
    const connectUrl = `${BASE_URL}/connect/portal?token=${token}`;
    const sent = what === 'an invitation' ? { emailSent: true } : {};
    const answer = { token, connectUrl, expiresAt: expect.stringMatching(TIMESTAMP), ...sent };
    expect({ status, body }).toEqual({ status: 200, body: answer });
    expect(await kept(token)).toEqual([{ integration_name: null, seconds: 604_800 }]);
  });

  it.each([3_600, 2_592_000])('is valid for %d seconds on request', async (expiresIn) => {
    expect(await kept((await ask({ expiresIn })).body.token)).toMatchObject([{ seconds: expiresIn }]);
  });

  it('can be limited to one integration, by name or configured integration', async () => {
    const { id: workspaceIntegrationId } = await newIntegration(api, workspaceId, {
      ...{ integrationName: 'github', connectionStrategy: 'per_user' },
    });
    for (const limits of [
      { integrationName: 'github' },
      { workspaceIntegrationId: workspaceIntegrationId.toUpperCase() },
      { integrationName: 'github', workspaceIntegrationId },
    ])
      expect(await kept((await ask(limits)).body.token)).toMatchObject([{ integration_name: 'github' }]);
    const { id: elsewhere } = await newIntegration(api, await newWorkspace(api));
    for (const absent of [elsewhere, UNKNOWN_ID])
      expectInvalid(await ask({ workspaceIntegrationId: absent }), 'workspaceIntegrationId');
    expectInvalid(await ask({ integrationName: 'http', workspaceIntegrationId }), 'integrationName');
    for (const integrationName of ['gitlub', 'hash-encode'])
      expectInvalid(await ask({ integrationName }), 'integrationName');
  });

  it('reports every problem of the body at once', async () => {
    const wrong = { expiresIn: 3_599, integrationName: '', workspaceIntegrationId: 'x', scope: 'USER' };
    expectInvalid(await ask(wrong), ...Object.keys(wrong));
    for (const expiresIn of [2_592_001, 4_000.5, '4000', {}]) expectInvalid(await ask({ expiresIn }), 'expiresIn');
  });

  it('is stored only as a hash and never logged', async () => {
    const { token } = (await ask()).body;
    for (const text of [await databaseContents(product.databaseUrl), product.logs()]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(token.slice(4, -6));
    }
  });
});

it('the oldest of more than 100 links of an end user is deleted, and all are deleted with the end user', async () => {
  const one = await person(api, workspaceId);
  const tokens: string[] = [];
  for (let n = 0; n < 101; n++) tokens.push((await link({}, one)).body.token);
  expect(await kept(tokens[0]!)).toEqual([]);
  for (const token of [tokens[1]!, tokens[100]!]) expect(await kept(token)).toHaveLength(1);
  await api.delete(`${PATH}/${one}`);
  expect(await kept(tokens[100]!)).toEqual([]);
  expectError(await link({}, one), 404, 'NOT_FOUND');
});

it('no link is created in a suspended workspace', async () => {
  const place = await newWorkspace(api);
  const one = await person(api, place);
  await api.post(`/api/v1/workspaces/${place}/suspend`);
  expectError(await link({}, one), 403, 'FORBIDDEN');
});
