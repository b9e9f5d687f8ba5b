// Shapes: local
import { misspelt } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge } from './support/drawbridge.js';
import { NOBODY } from './support/expect.js';
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
/** Two servers, and a client for each. */
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

describe('no token is refreshed', () => {
  it('by an unknown client, which learns to register again', async () => {
    const answer = await refresh(product.baseUrl, scene.its, pair.refresh, { client_id: NOBODY });
    expectRefused(answer, 401, 'invalid_client');
  });

  it.each<[string, () => Changes, string]>([
    ['by another client', () => ({ client_id: other.its.clientId }), 'invalid_grant'],
    ['by no client', () => ({ client_id: undefined }), 'invalid_request'],
    ['for another server', () => ({ resource: other.mcpEndpoint }), 'invalid_target'],
    ['for what is elsewhere', () => ({ resource: 'https://elsewhere.example/' }), 'invalid_target'],
    ['for more than was allowed', () => ({ scope: 'mcp:tools mcp:code' }), 'invalid_scope'],
    ['for what there is not', () => ({ scope: 'admin' }), 'invalid_scope'],
    ['that is an access token', () => ({ refresh_token: pair.access }), 'invalid_grant'],
    ['that nobody was given', () => ({ refresh_token: misspelt(pair.refresh) }), 'invalid_grant'],
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
    ['with a name of a token that is none', () => ({ refresh_token: 'a\0b' }), 'invalid_request'],
  ])('%s, and who has it goes on', async (_, changes, error) => {
    expectRefused(await again(pair.refresh, changes()), 400, error);
    expect((await again(pair.refresh)).status).toBe(200);
  });

  it('with a secret', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: pair.refresh, client_id: scene.its.clientId };
    expectRefused(await askTokens(product.baseUrl, { ...fields, client_secret: 'x' }), 401, 'invalid_client');
  });

  it('once it is over', async () => {
    await age(stage, scene, 'refresh', '31 days');
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
  });

  it('later a second time, and all that came of it ends', async () => {
    const next = toPair(await again(pair.refresh));
    await age(stage, scene, 'use', '11 s');
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    for (const access of [pair.access, next.access]) expect(await statusBy(access, scene)).toBe(401);
    expectRefused(await again(next.refresh), 400, 'invalid_grant');
  });

  it('later a second time, however often it was gone on with meanwhile', async () => {
    const next = toPair(await again(pair.refresh));
    await useMore(250);
    const last = toPair(await again(next.refresh));
    await age(stage, scene, 'use', '11 s');
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    expect(await statusBy(last.access, scene)).toBe(401);
    expectRefused(await again(last.refresh), 400, 'invalid_grant');
  });

  it('more than three hundred times a day, and all that came of it ends', async () => {
    await useMore(300);
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    expect(await statusBy(pair.access, scene)).toBe(401);
  });

  it('at once a second time, when its next was used meanwhile', async () => {
    const next = toPair(await again(pair.refresh));
    const third = toPair(await again(next.refresh));
    expectRefused(await again(pair.refresh), 400, 'invalid_grant');
    for (const { access } of [pair, next, third]) expect(await statusBy(access, scene)).toBe(401);
  });
});

describe('a token is refreshed', () => {
  it.each([
    ['first', 0],
    ['last', 1],
  ])(
    'more than once at once, for who has not heard the answer: the %s is gone on with, the other is over',
    async (_, n) => {
      const answers = await Promise.all([again(pair.refresh), again(pair.refresh)]).then((all) => all.map(toPair));
      for (const { access } of answers) expect(await statusBy(access, scene)).toBe(200);
      const [kept, lost] = [answers[n]!, answers[1 - n]!];
      const next = toPair(await again(kept.refresh));
      expect([await statusBy(next.access, scene), await statusBy(lost.access, scene)]).toEqual([200, 401]);
    },
  );

  it('so, and who comes with the other answer after that ends all of it', async () => {
    const [kept, lost] = [toPair(await again(pair.refresh)), toPair(await again(pair.refresh))];
    const next = toPair(await again(kept.refresh));
    expectRefused(await again(lost.refresh), 400, 'invalid_grant');
    for (const { access } of [kept, next]) expect(await statusBy(access, scene)).toBe(401);
    expectRefused(await again(next.refresh), 400, 'invalid_grant');
  });

  it('for as long as it is used, each for 30 days', async () => {
    let last = pair;
    for (let n = 0; n < 3; n++) {
      await age(stage, scene, 'refresh', '29 days');
      last = toPair(await again(last.refresh));
    }
    expect(await statusBy(last.access, scene)).toBe(200);
  });
});

it('ends no token that the organization issued, however many come of refreshes', async () => {
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
