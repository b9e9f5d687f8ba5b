// Shapes: local
import {
  askVendor,
  connect,
  connectProduct,
  type ConnectProduct,
  goThere,
  integrationOf,
  outcomeOf,
  visit,
} from './support/connect.js';
import { openClient, rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { webOf } from './support/web.js';

let its: ConnectProduct;

beforeAll(async () => (its = await connectProduct()));
afterAll(() => its?.stop());

const PLAIN = integrationOf('plain');
/** Exceeds the timeout of most calls between services. */
const SLOW_MS = 10_500;

describe('the outcome of a session', () => {
  it('is posted only to the opener and to the origin of the success redirect', async () => {
    const redirects = {
      successRedirectUri: 'https://app.example/done?x=1',
      errorRedirectUri: 'https://errors.example/no',
    };
    const opened = await its.open(PLAIN, redirects);
    const web = webOf(its.product.baseUrl);
    await web.get(`/connect?token=${opened.token}`, { referer: 'https://opener.example/page?secret' });
    await web.get(await askVendor(web, opened));
    const shown = await web.get(`/connect/${opened.sessionId}`);
    const { connectionId } = await its.session(opened.sessionId);
    const { externalId } = opened;
    const message = {
      type: 'svc-connect-result',
      status: 'COMPLETED',
      connectionId,
      integrationName: PLAIN,
      externalId,
      error: null,
    };
    expect(outcomeOf(shown)).toEqual({ message, origins: ['https://app.example', 'https://opener.example'] });
    const onward = `https://app.example/done?x=1&status=COMPLETED&connection_id=${connectionId}`;
    expect(shown.headers.get('refresh')).toBe(`0; url=${onward}`);
    expect(shown.text).not.toContain(opened.token);
  });

  it('is a redirect with the error where it failed', async () => {
    const redirects = { errorRedirectUri: 'https://app.example/no', successRedirectUri: 'https://done.example' };
    const { opened, web, back } = await goThere(its, 'plain', 'no', redirects);
    await web.get(back);
    const shown = await web.get(`/connect/${opened.sessionId}`);
    expect(outcomeOf(shown).origins).toEqual(['https://done.example']);
    const { searchParams } = new URL(shown.headers.get('refresh')!.replace('0; url=', ''));
    expect(Object.fromEntries(searchParams)).toEqual({ status: 'FAILED', error: 'access_denied: The person said no' });
  });

  it('is that of a declined consent where the user cancels', async () => {
    const opened = await its.open(PLAIN);
    const [web, stranger] = [webOf(its.product.baseUrl), webOf(its.product.baseUrl)];
    await web.get(`/connect?token=${opened.token}`, { referer: 'https://opener.example/page' });
    const at = `/connect/${opened.sessionId}`;
    expect((await stranger.post(`${at}/cancel`)).status).toBe(404);
    expect((await web.post(`${at}/cancel`, {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await its.session(opened.sessionId)).toMatchObject({ status: 'PENDING' });
    expect(await web.post(`${at}/cancel`)).toMatchObject({ status: 303, to: at });
    const error = 'access_denied: The user canceled';
    expect(await its.session(opened.sessionId)).toMatchObject({ status: 'FAILED', error, connectionId: null });
    const shown = await web.get(at);
    expect(outcomeOf(shown)).toMatchObject({
      message: { status: 'FAILED', error },
      origins: ['https://opener.example'],
    });
    expect(shown.text).toContain('data-closes="yes"');
    expect(await web.post(`${at}/cancel`)).toMatchObject({ status: 303, to: at });
  });

  it('is FAILED where the externalId belongs to another integration', async () => {
    const { opened } = await connect(its, 'plain');
    const { session } = await connect(its, 'hubspot', { externalId: opened.externalId });
    expect(session).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('belongs to the integration test-plain'),
    });
  });

  it.each(['ORGANIZATION', 'WORKSPACE'])(
    'is FAILED where the %s connection belongs to another end user',
    async (scope) => {
      const { opened, session: made } = await connect(its, 'plain', { scope, endUserId: 'ann' });
      for (const endUserId of ['bob', undefined]) {
        const { session } = await connect(its, 'plain', { scope, endUserId, externalId: opened.externalId });
        expect(session).toMatchObject({
          status: 'FAILED',
          error: expect.stringContaining('belongs to another end user'),
        });
      }
      const { session } = await connect(its, 'plain', { scope, endUserId: 'ann', externalId: opened.externalId });
      expect(session).toMatchObject({ status: 'COMPLETED', connectionId: made.connectionId });
    },
  );

  it('is in the audit log under the key that created the session', async () => {
    const { session } = await connect(its);
    const path = `/api/v1/audit-log?resourceId=${session.connectionId}`;
    const entry = { action: 'connection.connect', actor: { type: 'api_key' }, reason: 'connected' };
    await eventually(async () => expect((await its.api.get(path)).body.entries).toMatchObject([entry]));
  });
});

it('a session is invalid once its end user is deleted', async () => {
  const person = { scope: 'USER', endUserId: 'gone', workspaceId: its.workspaceId };
  const key = { type: 'SECRET_TEXT', secretText: 'x', integrationName: 'test-keys', externalId: 'k', displayName: 'K' };
  const { connection } = (await its.api.post('/api/v1/connections', { ...key, ...person })).body;
  const { token } = await its.open('test-keys', person);
  await its.api.delete(`/api/v1/connections/${connection.id}`);
  const sql = `DELETE FROM connections.end_users WHERE external_id = 'gone' AND workspace_id = $1`;
  await rowsOf(its.product.databaseUrl, sql, [its.workspaceId]);
  expectError(await its.api.post('/api/v1/connect/session/poll', { token }), 401, 'INVALID_TOKEN');
});

it('a session waits for a slow provider, also for repeated requests', async () => {
  const { opened, web, back } = await goThere(its);
  const typed = await its.open('test-keys');
  const form = await visit(its.product.baseUrl, typed);
  its.vendors.hold('plain', { delayMs: SLOW_MS });
  its.keys.on('GET /me', { delay: SLOW_MS, body: {} });
  const asked = its.vendors.asked('plain');
  const first = web.get(back);
  const sent = form.post(`/connect/${typed.sessionId}`, { type: 'SECRET_TEXT', 'field.secretText': 'good' });
  await eventually(async () => expect(its.vendors.asked('plain')).toBe(asked + 1));
  const answers = await Promise.all([web.get(back), first, sent]);
  its.vendors.hold('plain', {});
  const own = { status: 303, to: `/connect/${opened.sessionId}` };
  expect(answers).toMatchObject([own, own, { status: 303, to: `/connect/${typed.sessionId}` }]);
  for (const { sessionId } of [opened, typed]) expect((await its.session(sessionId)).status).toBe('COMPLETED');
});

it('a session creates a new connection where the old one is deleted during the reconnect', async () => {
  const first = await connect(its);
  const { opened, web, back } = await goThere(its, 'plain', 'yes', { externalId: first.opened.externalId });
  const { databaseUrl } = its.product;
  const holding = await openClient(databaseUrl);
  const waiting = async (): Promise<number> =>
    (
      await rowsOf(
        databaseUrl,
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      )
    ).length;
  await holding.query('BEGIN');
  await holding.query('SELECT FROM connections.connections WHERE id = $1 FOR UPDATE', [first.session.connectionId]);
  const deleted = its.api.delete(`/api/v1/connections/${first.session.connectionId}`);
  await eventually(async () => expect(await waiting()).toBe(1));
  const ended = web.get(back);
  await eventually(async () => expect(await waiting()).toBe(2));
  await holding.query('COMMIT');
  await holding.end();
  expect((await Promise.all([deleted, ended])).map(({ status }) => status)).toEqual([200, 303]);
  const { status, connectionId } = await its.session(opened.sessionId);
  expect(status).toBe('COMPLETED');
  expect((await its.api.get(`/api/v1/connections?id=${connectionId}`)).status).toBe(200);
});

describe('a session that was interrupted while it connected', () => {
  it('can be resumed after 2 minutes', async () => {
    const opened = await its.open(PLAIN);
    const web = await visit(its.product.baseUrl, opened);
    const died = `UPDATE connections.connect_sessions SET status = 'CONNECTING', turn = 1, updated_at = now() - $2::interval
      WHERE id = $1`;
    await rowsOf(its.product.databaseUrl, died, [opened.sessionId, '3 minutes']);
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
    expect((await web.get(`/connect/${opened.sessionId}`)).text).toContain('Continue to Test Plain');
    await web.get(await askVendor(web, opened));
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('can be resumed at once where its OAuth app cannot be decrypted', async () => {
    const app = { integrationName: PLAIN, clientId: its.vendors.clientId, clientSecret: its.vendors.secret };
    const { oauthApp } = (await its.api.post('/api/v1/oauth-apps', app)).body;
    const { opened, web, back } = await goThere(its);
    const set = (sealed: string) =>
      rowsOf(its.product.databaseUrl, `UPDATE connections.oauth_apps SET sealed = ${sealed} WHERE id = $1`, [
        oauthApp.id,
      ]);
    await set("sealed || '\\x00'");
    const broken = await web.get(back);
    await set('substring(sealed FROM 1 FOR length(sealed) - 1)');
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
    expect((await web.get(broken.to!)).status).toBe(503);
    await web.get(await askVendor(web, opened));
    await its.api.delete(`/api/v1/oauth-apps/${oauthApp.id}`);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });
});

it('no code verifier, state or token is stored or logged in readable form', async () => {
  const { opened, web, back } = await goThere(its);
  const rows = await rowsOf<{ text: string }>(
    its.product.databaseUrl,
    'SELECT row_to_json(s)::text AS text FROM connections.connect_sessions s WHERE id = $1',
    [opened.sessionId],
  );
  const secret = web.cookies.get(`connect-${opened.sessionId}`)!.split('.')[1]!;
  const state = new URLSearchParams(back.split('?')[1]).get('state')!.split('.')[1]!;
  for (const text of [opened.token, secret, state]) expect(rows[0]!.text + its.product.logs()).not.toContain(text);
});
