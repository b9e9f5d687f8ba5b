// Shapes: local
import { canary, findCanaries } from './support/canaries.js';
import { askVendor, connect, connectProduct, type ConnectProduct, integrationOf, visit } from './support/connect.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { databaseContents } from './support/stored-contents.js';
import { webOf } from './support/web.js';

let its: ConnectProduct;

beforeAll(async () => (its = await connectProduct()));
afterAll(() => its?.stop());

const KEYS = 'test-keys';
const PLAIN = integrationOf('plain');

describe('the page of a session', () => {
  it('removes the token from the address and sends no referrer', async () => {
    const opened = await its.open(KEYS);
    const web = webOf(its.product.baseUrl);
    const first = await web.get(`/connect?token=${opened.token}`);
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^connect-${opened.sessionId}=cst_[^;]+; Max-Age=14400; Path=/; .*HttpOnly; SameSite=Lax`),
      ),
    ]);
    const page = await web.get(`/connect/${opened.sessionId}`);
    expect(page.text).not.toContain(opened.token);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(its.product.logs()).not.toContain(opened.token);
  });

  it('does not exist for an integration without a credential that a page can ask for', async () => {
    const facts = {
      integrationName: 'test-unasked',
      connectionName: 'U',
      externalId: 'u',
      workspaceId: its.workspaceId,
    };
    expectInvalid(await its.api.post('/api/v1/connect/token', facts), 'integrationName');
  });

  it('keeps at most 20 visits in a browser', async () => {
    const web = webOf(its.product.baseUrl);
    for (let made = 0; made < 23; made++) await visit(its.product.baseUrl, await its.open(KEYS), web);
    expect([...web.cookies.keys()].filter((name) => name.startsWith('connect-'))).toHaveLength(20);
  });

  it('stores no typed credential in clear text', async () => {
    const opened = await its.open(KEYS);
    const web = await visit(its.product.baseUrl, opened);
    const typed = canary();
    await web.post(`/connect/${opened.sessionId}`, { type: 'SECRET_TEXT', 'field.secretText': typed.text });
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
    const stored = (await databaseContents(its.product.databaseUrl)) + its.product.logs();
    expect(findCanaries(stored, { typed })).toEqual([]);
  });
});

it('a browser that has not opened the link is not redirected to the provider', async () => {
  const { sessionId } = await its.open(PLAIN);
  const stranger = webOf(its.product.baseUrl);
  const [shown, sent] = [
    await stranger.get(`/connect/${sessionId}`),
    await stranger.post(`/connect/${sessionId}/authorize`),
  ];
  expect(sent.status).toBe(shown.status);
  expect(sent.text).toContain('This link does not work');
});

describe('a reconnect link', () => {
  const reconnect = (id: string, fields: object = {}) =>
    its.api.post(`/api/v1/connections/${id}/reconnect`, { workspaceId: its.workspaceId, ...fields });
  const status = async (id: string) => (await its.api.get(`/api/v1/connections?id=${id}`)).body.connection.status;

  it('is created from the id in CONNECTION_REQUIRED and makes the same connection ACTIVE again', async () => {
    const { opened, session } = await connect(its);
    await its.vendors.revokeAll('plain');
    await its.execute(PLAIN, opened.externalId);
    expect(await status(session.connectionId)).toBe('ERROR');
    const refused = await its.execute(PLAIN, opened.externalId);
    expectError(refused, 400, 'CONNECTION_REQUIRED');
    const { connectionId } = refused.body.details;
    const { body: again } = await reconnect(connectionId);
    expect(again).toEqual({
      token: expect.stringMatching(/^cst_/),
      connectUrl: `${its.product.baseUrl}/connect?token=${again.token}`,
      sessionId: expect.stringMatching(UUID_V7),
      expiresAt: expect.stringMatching(TIMESTAMP),
    });
    const web = await visit(its.product.baseUrl, again);
    await web.get(await askVendor(web, again));
    expect(await its.session(again.sessionId)).toMatchObject({ status: 'COMPLETED', connectionId });
    expect((await its.execute(PLAIN, opened.externalId)).status).toBe(200);
    expect(await status(connectionId)).toBe('ACTIVE');
  });

  it('is refused for an unknown or suspended connection and in another workspace', async () => {
    const { connectionId } = (await connect(its, 'plain', { scope: 'WORKSPACE' })).session;
    expectError(await reconnect(UNKNOWN_ID), 404, 'NOT_FOUND');
    const other = await its.api.post('/api/v1/workspaces', { name: 'Other', slug: fresh() });
    expectInvalid(await reconnect(connectionId, { workspaceId: other.body.workspace.id }), 'workspaceId');
    expectInvalid(await reconnect(connectionId, { successRedirectUri: '/done' }), 'successRedirectUri');
    expectError(await reconnect(connectionId, { oauthAppId: UNKNOWN_ID }), 404, 'OAUTH_APP_NOT_FOUND');
    await its.api.post(`/api/v1/connections/${connectionId}/suspend`);
    const answer = await reconnect(connectionId);
    expectError(answer, 403, 'FORBIDDEN');
    expect(answer.body.details).toMatchObject({ reason: 'suspended' });
  });
});
