// Shapes: local
import { misspelt } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge } from './support/drawbridge.js';
import { UNKNOWN_ID } from './support/expect.js';
import { askTokens, REDIRECT, refresh } from './support/oauth.js';
import {
  age,
  expectRefused,
  newPair,
  newScene,
  type Pair,
  type Scene,
  sharedStage,
  type Stage,
  statusBy,
  toPair,
} from './support/oauth-stage.js';

let product: Drawbridge;
let stage: Stage;
/** Two MCP servers, each with an OAuth client that requests access. */
let scene: Scene;
let other: Scene;
let pair: Pair;

beforeAll(async () => void ({ product, stage, scene: other } = await sharedStage()));
beforeEach(async () => {
  scene = await newScene(stage);
  pair = await newPair(stage, scene);
});

type Changes = Record<string, string | undefined>;

const again = (token: string, changes: Changes = {}) => refresh(product.baseUrl, scene.its, token, changes);

/** Inserts `count` used refresh tokens. */
async function useMore(count: number): Promise<void> {
  const insert = `INSERT INTO mcp.oauth_refresh_tokens (id, org_id, grant_id, token_hash, access_token_id, used_at, expires_at)
    SELECT gen_random_uuid(), org_id, id, gen_random_uuid(), gen_random_uuid(), now() - interval '1 minute', expires_at
    FROM mcp.oauth_grants, generate_series(1, $2::int) WHERE server_id = $1`;
  await rowsOf(product.databaseUrl, insert, [scene.serverId, count]);
}

describe('a refresh token is not accepted', () => {
  it('by an unknown client, which must register again', async () => {
    const answer = await refresh(product.baseUrl, scene.its, pair.refresh, { client_id: UNKNOWN_ID });
    expectRefused(answer, 401, 'invalid_client');
  });

  it.each<[string, () => Changes, string]>([
    ['by another client', () => ({ client_id: other.its.clientId }), 'invalid_grant'],
    ['without a client', () => ({ client_id: undefined }), 'invalid_request'],
    ['for another server', () => ({ resource: other.mcpEndpoint }), 'invalid_target'],
    ['for a resource of another site', () => ({ resource: 'https://elsewhere.example/' }), 'invalid_target'],
    ['for more scopes than were granted', () => ({ scope: 'mcp:tools mcp:code' }), 'invalid_scope'],
    ['for an unknown scope', () => ({ scope: 'admin' }), 'invalid_scope'],
    ['that is an access token', () => ({ refresh_token: pair.access }), 'invalid_grant'],
    ['that was never issued', () => ({ refresh_token: misspelt(pair.refresh) }), 'invalid_grant'],
    ['that is missing', () => ({ refresh_token: undefined }), 'invalid_request'],
    [
      'as a code',
      () => ({
        grant_type: 'authorization_code',
        code: pair.refresh,
        redirect_uri: REDIRECT,
        code_verifier: scene.its.verifier,
      }),
      'invalid_grant',
    ],
    ['that is malformed', () => ({ refresh_token: 'a\0b' }), 'invalid_request'],
  ])('%s, and stays valid', async (_, changes, error) => {
    expectRefused(await again(pair.refresh, changes()), 400, error);
    expect((await again(pair.refresh)).status).toBe(200);
  });

  it('with a client secret', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: pair.refresh, client_id: scene.its.clientId };
    expectRefused(await askTokens(product.baseUrl, { ...fields, client_secret: 'x' }), 401, 'invalid_client');
  });

  it('once it has expired', async () => {
    await age(stage, scene, 'refresh', '31 days');
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
  });

  it('a second time after the grace period, which revokes the authorization', async () => {
    const next = toPair(await again(pair.refresh));
    await age(stage, scene, 'use', '11 s');
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    for (const access of [pair.access, next.access]) expect(await statusBy(access, scene)).toBe(401);
    expectRefused(await again(next.refresh), 400, 'invalid_grant');
  });

  it('a second time after the grace period, however often its successors were refreshed', async () => {
    const next = toPair(await again(pair.refresh));
    await useMore(250);
    const last = toPair(await again(next.refresh));
    await age(stage, scene, 'use', '11 s');
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    expect(await statusBy(last.access, scene)).toBe(401);
    expectRefused(await again(last.refresh), 400, 'invalid_grant');
  });

  it('more than three hundred times a day, which revokes the authorization', async () => {
    await useMore(300);
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    expect(await statusBy(pair.access, scene)).toBe(401);
  });

  it('a second time when its successor was already used', async () => {
    const next = toPair(await again(pair.refresh));
    const third = toPair(await again(next.refresh));
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    for (const { access } of [pair, next, third]) expect(await statusBy(access, scene)).toBe(401);
  });
});

describe('a refresh token is accepted', () => {
  it.each([
    ['first', 0],
    ['last', 1],
  ])('concurrently, because a response can be lost: using the %s response invalidates the other', async (_, n) => {
    const answers = await Promise.all([again(pair.refresh), again(pair.refresh)]).then((all) => all.map(toPair));
    for (const { access } of answers) expect(await statusBy(access, scene)).toBe(200);
    const [kept, lost] = [answers[n]!, answers[1 - n]!];
    const next = toPair(await again(kept.refresh));
    expect([await statusBy(next.access, scene), await statusBy(lost.access, scene)]).toEqual([200, 401]);
  });

  it('concurrently, and using the invalidated response revokes the authorization', async () => {
    const [kept, lost] = [toPair(await again(pair.refresh)), toPair(await again(pair.refresh))];
    const next = toPair(await again(kept.refresh));
    expectRefused(await again(lost.refresh), 400, 'invalid_grant');
    for (const { access } of [kept, next]) expect(await statusBy(access, scene)).toBe(401);
    expectRefused(await again(next.refresh), 400, 'invalid_grant');
  });

  it('as long as it is used, each for 30 days', async () => {
    let last = pair;
    for (let n = 0; n < 3; n++) {
      await age(stage, scene, 'refresh', '29 days');
      last = toPair(await again(last.refresh));
    }
    expect(await statusBy(last.access, scene)).toBe(200);
  });
});

it('refreshes never revoke tokens that the organization issued', async () => {
  const { externalId } = (await product.api.get(`/api/v1/end-users/${stage.endUserId}`)).body.endUser;
  const path = `/api/v1/mcp/servers/${scene.serverId}/oauth-tokens`;
  const { accessToken } = (await product.api.post(path, { endUserId: externalId })).body;
  const copies = `INSERT INTO mcp.tokens (id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id,
      end_user_record_id, grant_id, expires_at)
    SELECT gen_random_uuid(), org_id, workspace_id, server_id, kind, token_hash || n, token_prefix, scopes, end_user_id,
      end_user_record_id, grant_id, expires_at
    FROM mcp.tokens, generate_series(1, 100) n WHERE server_id = $1 AND grant_id IS NOT NULL`;
  await rowsOf(product.databaseUrl, copies, [scene.serverId]);
  toPair(await again(pair.refresh));
  expect(await statusBy(accessToken, scene)).toBe(200);
});
