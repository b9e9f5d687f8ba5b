// Shapes: local
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { refreshedProduct, type RefreshedProduct } from './support/refreshed.js';

let its: RefreshedProduct;

beforeAll(async () => (its = await refreshedProduct()));
afterAll(() => its?.stop());
beforeEach(() => its.reset());

const times = (count: number): undefined[] => Array.from({ length: count });
const statuses = (answers: { status: number }[]): number[] => [...new Set(answers.map(({ status }) => status))];

describe('an expiring token', () => {
  it('is refreshed in its last minute, or second half, without delaying calls', async () => {
    const connection = await its.connect({ expiresIn: 50 });
    its.issuer.slow({ delay: 1_000 });
    expect((await connection.execute()).status).toBe(200);
    await connection.expire(25);
    expect(its.issuer.refreshes).toEqual([]);
    expect((await connection.execute()).status).toBe(200);
    await eventually(async () => expect(its.issuer.refreshes).toHaveLength(1));
  });

  it('is refreshed once for concurrent calls after it has expired, and its refresh token is replaced', async () => {
    const connection = await its.connect();
    for (const round of [1, 2, 3]) {
      its.issuer.endTokens();
      await connection.expire();
      const answers = await Promise.all(times(30).map(() => connection.execute()));
      expect(statuses(answers)).toEqual([200]);
      expect(its.issuer.refreshes).toHaveLength(round);
    }
    expect(new Set(its.issuer.refreshes).size).toBe(3);
    expect(await connection.record()).toMatchObject({ status: 'ACTIVE', error: null });
  });

  it('that the provider rejects early is refreshed once, and the action succeeds', async () => {
    const connection = await its.connect();
    its.issuer.endTokens();
    const answers = await Promise.all(times(20).map(() => connection.execute()));
    expect(statuses(answers)).toEqual([200]);
    expect(its.issuer.refreshes).toHaveLength(1);
  });

  it('is refreshed once for lookups, too, and they are answered', async () => {
    const connection = await its.connect();
    its.issuer.endTokens();
    for (const { status, body } of await Promise.all(times(10).map(() => connection.labels())))
      expect({ status, options: body.options }).toEqual({ status: 200, options: [{ label: 'bug', value: 'bug' }] });
    expect(its.issuer.refreshes).toHaveLength(1);
    await connection.expire();
    expect((await connection.labels()).status).toBe(200);
    expect(its.issuer.refreshes).toHaveLength(2);
  });

  it('keeps its refresh token where the response contains none', async () => {
    const connection = await its.connect();
    const { refreshToken, accessToken } = its.issuer.grant();
    its.issuer.answerRefresh({ body: { access_token: accessToken, token_type: 'bearer', expires_in: 3600 } });
    its.issuer.endTokens();
    its.provider.on('POST /repos/acme/app/issues', { status: 201, body: {} });
    for (const round of [1, 2]) {
      await connection.expire();
      expect((await connection.execute()).status).toBe(200);
      expect(its.issuer.refreshes).toHaveLength(round);
    }
    expect(new Set(its.issuer.refreshes).size).toBe(1);
    expect(its.issuer.refreshes).not.toContain(refreshToken);
  });
});

describe('a provider', () => {
  it('that refuses the refresh sets the connection to ERROR once, with the reason and an event', async () => {
    const connection = await its.connect();
    its.issuer.answerRefresh({ body: { error: 'bad_refresh_token', error_description: 'It has expired.' } });
    await connection.expire();
    const answers = await Promise.all(times(10).map(() => connection.execute()));
    for (const answer of answers) expectError(answer, 400, 'CONNECTION_REQUIRED');
    expect(its.issuer.refreshes).toHaveLength(1);
    const { status, error } = await connection.record();
    expect({ status, error }).toEqual({
      status: 'ERROR',
      error: { code: 'bad_refresh_token', message: 'It has expired.', since: error.since },
    });
    const sql = `SELECT type FROM connections.outbox WHERE type = 'connection.error' AND position($1::bytea in envelope) > 0`;
    expect(await rowsOf(its.product.databaseUrl, sql, [Buffer.from(connection.id)])).toHaveLength(1);
  });

  it('that is down or responds with invalid data leaves the connection ACTIVE, and a later refresh succeeds', async () => {
    const connection = await its.connect();
    const faults = [
      { status: 503 },
      { status: 429 },
      { reset: true },
      { body: 'x' },
      { body: { access_token: 'a\nb' } },
    ];
    for (const fault of faults) {
      its.issuer.answerRefresh(fault);
      await connection.expire();
      const answer = await connection.execute();
      expectError(answer, 503, 'UNAVAILABLE');
      expect(answer.body.details).toMatchObject({ reason: 'refresh_failed', connectionId: connection.id });
      await rowsOf(its.product.databaseUrl, 'UPDATE connections.connections SET retry_at = now() WHERE id = $1', [
        connection.id,
      ]);
    }
    expect(await connection.record()).toMatchObject({ status: 'ACTIVE', error: null });
    its.issuer.answerRefresh(undefined);
    expect((await connection.execute()).status).toBe(200);
  });

  it('that failed is not asked again for a while', async () => {
    const connection = await its.connect();
    its.issuer.answerRefresh({ status: 500 });
    await connection.expire();
    // After more failures the pause is a minute, which is longer than all calls need on a busy machine.
    const failures = 'UPDATE connections.connections SET refresh_failures = 5 WHERE id = $1';
    await rowsOf(its.product.databaseUrl, failures, [connection.id]);
    for (const answer of await Promise.all(times(20).map(() => connection.execute())))
      expectError(answer, 503, 'UNAVAILABLE');
    expect(its.issuer.refreshes).toHaveLength(1);
  });

  it('that fails after the credential was replaced does not affect the new one', async () => {
    const connection = await its.connect();
    await connection.expire();
    let answer = (): void => undefined;
    its.issuer.slow({ until: new Promise<void>((resolve) => (answer = resolve)) });
    its.issuer.answerRefresh({ status: 503 });
    const executing = connection.execute();
    await its.provider.received(({ url }) => url.startsWith('/login/oauth'));
    await its.reconnect(connection, 'a-key');
    answer();
    await executing;
    const sql = 'SELECT type, refresh_at, retry_at, refresh_failures FROM connections.connections WHERE id = $1';
    expect(await rowsOf(its.product.databaseUrl, sql, [connection.id])).toEqual([
      { type: 'SECRET_TEXT', refresh_at: null, retry_at: null, refresh_failures: 0 },
    ]);
  });

  it('that refuses the fresh token sets the connection to ERROR', async () => {
    const connection = await its.connect();
    its.issuer.refuseAll();
    expectError(await connection.execute(), 400, 'ACTION_FAILED');
    expect(its.issuer.refreshes).toHaveLength(1);
    expect(await connection.record()).toMatchObject({ status: 'ERROR', error: { message: 'Bad credentials' } });
  });

  it('that refuses the fresh token of a lookup sets the connection to ERROR', async () => {
    const connection = await its.connect();
    its.issuer.refuseAll();
    expectError(await connection.labels(), 400, 'OPTIONS_FAILED');
    expect(its.issuer.refreshes).toHaveLength(1);
    expect(await connection.record()).toMatchObject({ status: 'ERROR', error: { message: 'Bad credentials' } });
    expectError(await connection.labels(), 400, 'CONNECTION_REQUIRED');
  });

  it('cannot place a secret in the stored error', async () => {
    const { refreshToken, ...tokens } = its.issuer.grant();
    const connection = await its.connect({ refreshToken, ...tokens });
    its.issuer.answerRefresh({
      body: { error: 'bad_refresh_token', error_description: `${refreshToken} of platform-secret is expired` },
    });
    await connection.expire();
    expectError(await connection.execute(), 400, 'CONNECTION_REQUIRED');
    const { error } = await connection.record();
    expect(error.message).toBe('The provider refused the request: bad_refresh_token');
    expect(its.product.logs()).not.toContain(refreshToken);
  });
});

describe('the OAuth client of a refresh', () => {
  it("is the operator's or the organization's, as chosen at the connection", async () => {
    const before = await its.connect();
    const app = { integrationName: 'github', clientId: 'tenant', clientSecret: 'tenant-secret' };
    const { oauthApp } = (await its.api.post('/api/v1/oauth-apps', app)).body;
    const after = await its.connect();
    for (const connection of [before, after]) {
      await connection.expire();
      expect((await connection.execute()).status).toBe(200);
    }
    expect(its.issuer.clients).toEqual(['platform:platform-secret', 'tenant:tenant-secret']);

    await its.api.delete(`/api/v1/oauth-apps/${oauthApp.id}`);
    await after.expire();
    expectError(await after.execute(), 400, 'CONNECTION_REQUIRED');
    expect(await after.record()).toMatchObject({ status: 'ERROR', error: { code: 'oauth_app_deleted' } });
  });
});

describe('an unused connection', () => {
  it('is refreshed when its refresh is due', async () => {
    const connection = await its.connect();
    const sql = `UPDATE connections.connections SET refresh_at = now() - interval '1 second' WHERE id = $1`;
    await rowsOf(its.product.databaseUrl, sql, [connection.id]);
    await eventually(async () => expect(its.issuer.refreshes).toHaveLength(1), 60_000);
    expect(await connection.record()).toMatchObject({ status: 'ACTIVE' });
  });
});
