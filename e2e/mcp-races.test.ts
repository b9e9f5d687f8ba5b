// Shapes: none; in full: processes
import { hashToken } from '@drawbridge/contracts';
import { type Product } from '@drawbridge/testkit';
import { modern } from './support/agents.js';
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { createServer, MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { redeem, refresh } from './support/oauth.js';
import { newCode, newPair, newScene, oauthStage, revoke, rowsOfServer } from './support/oauth-stage.js';
import { type Scene, type Stage, statusBy } from './support/oauth-stage.js';
import { operatorOf } from './support/operator.js';
import { ownProduct } from './support/own-product.js';
import { organizationOn, type PlansFile, plansFile } from './support/plans.js';
import { newWorkspace, pathOf } from './support/workspace-integrations.js';

/** The number of races between calls, and between a call and a change. */
const ROUNDS = 8;
const [SMALL, LARGE] = [2, 5];
const NOTHING = { grants: 0, tokens: 0 };

let plans: PlansFile;
let product: Product;
let api: Api;
/** The API of each gateway. */
let apis: Api[];
let orgId: string;

beforeAll(async () => {
  plans = plansFile({ small: { mcpServers: SMALL }, large: { mcpServers: LARGE } });
  product = await ownProduct({
    env: { PLANS_FILE: plans.path, PUBLIC_RATE_LIMIT: 'null' },
    replicas: { gateway: 2, mcp: 2 },
  });
  ({ api, apis } = await organizationOn('free', { product, plans }));
});
afterAll(async () => {
  await product?.stop();
  plans.remove();
});

const atOnce = (count: number, ask: (by: Api, n: number) => Promise<Answer>, gateways = apis): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(gateways[n % gateways.length]!, n)));
const made = (answers: Answer[]): Answer[] => answers.filter(({ status }) => status === 201);

const sharesOf = (workspaceId: string): Promise<{ id: string }[]> =>
  rowsOf(product.databaseUrl, 'SELECT id FROM catalog.bearer_shares WHERE workspace_id = $1', [workspaceId]);

it('concurrent regenerations leave one static bearer token and one share', async () => {
  const workspaceId = await newWorkspace(api);
  const { server, bearerToken } = await newServer(api, workspaceId, { authMode: 'bearer' });
  const path = `${MCP_SERVERS}/${server.id}`;
  const answers = await atOnce(20, (by) => by.post(`${path}/regenerate-token`));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [kept] = await rowsOf<{ hash: string; share: string }>(
    product.databaseUrl,
    'SELECT static_token_hash AS hash, share_id AS share FROM mcp.servers WHERE id = $1',
    [server.id],
  );
  const left = answers.filter(({ body }) => hashToken(body.bearerToken) === kept!.hash);
  expect(left).toHaveLength(1);
  expect(hashToken(bearerToken)).not.toBe(kept!.hash);

  const { pathname } = new URL(server.mcpEndpoint);
  for (const baseUrl of product.baseUrls) {
    const by = async (token: string): Promise<number> =>
      (await modern({ serverId: server.id, baseUrl, path: pathname, endUserId: '', token })).status;
    expect([await by(left[0]!.body.bearerToken), await by(bearerToken)]).toEqual([200, 401]);
  }

  const modes = await atOnce(20, (by, n) => by.patch(path, { authMode: n % 2 ? 'bearer' : 'oauth_and_bearer' }));
  expect(modes.map(({ status }) => status)).toEqual(modes.map(() => 200));
  await eventually(async () => expect(await sharesOf(workspaceId)).toEqual([{ id: kept!.share }]));
  await api.delete(path);
  await eventually(async () => expect(await sharesOf(workspaceId)).toEqual([]));
});

it('either a static bearer token or a per_user integration wins a race, and not both', async () => {
  const strict = { integrationName: 'github', connectionStrategy: 'per_user' };
  for (let round = 0; round < ROUNDS; round++) {
    const workspaceId = await newWorkspace(api);
    const [server, integration] = await Promise.all([
      createServer(apis[0]!, workspaceId, { authMode: 'bearer' }),
      apis[1]!.post(pathOf(workspaceId), strict),
    ]);
    expect(server.status).toBe(201);
    const hasBearer = server.body.bearerToken !== undefined;
    expect([hasBearer, integration.status]).toEqual([hasBearer, hasBearer ? 409 : 201]);
  }
});

it('concurrent tools map an alias to one integration and an action to one tool', async () => {
  const { id } = (await newServer(api, await newWorkspace(api))).server;
  const tools = [
    { integrationName: 'hash-encode', actionName: 'hash', integrationAlias: 'raced' },
    { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'raced' },
  ];
  const answers = await atOnce(20, (by, n) => by.post(`${MCP_SERVERS}/${id}/tools`, tools[(n >> 1) % 2]));
  expect(made(answers)).toHaveLength(1);
  for (const { status, body } of answers.filter((one) => one.status !== 201))
    expect([status, ['DUPLICATE', 'ALIAS_CONFLICT'].includes(body.code)]).toEqual([409, true]);
  expect((await api.get(`${MCP_SERVERS}/${id}`)).body.tools).toHaveLength(1);
});

it('no token outlives the disabling of its kind, even if it is issued concurrently', async () => {
  const workspaceId = await newWorkspace(api);
  const { externalId: endUserId } = (await api.post('/api/v1/end-users', { workspaceId, externalId: 'ann' })).body
    .endUser;
  const { id } = (await newServer(api, workspaceId, { authMode: 'oauth_and_bearer' })).server;
  const issued = atOnce(16, (by) => by.post(`${MCP_SERVERS}/${id}/access-tokens`, { endUserId }));
  await apis[1]!.patch(`${MCP_SERVERS}/${id}`, { authMode: 'oauth' });
  for (const answer of (await issued).filter(({ status }) => status !== 201))
    expectError(answer, 409, 'MCP_BEARER_DISABLED');
  const kept = await rowsOf(product.databaseUrl, 'SELECT id FROM mcp.tokens WHERE server_id = $1', [id]);
  expect(kept).toEqual([]);
});

describe('an authorization under races', () => {
  const RACERS = 50;
  let stage: Stage;
  let scene: Scene;
  beforeAll(async () => void (stage = await oauthStage(product, api)));
  beforeEach(async () => void (scene = await newScene(stage)));

  const gatewayUrl = (n: number): string => product.baseUrls[n % product.baseUrls.length]!;
  const opening = async (answers: Answer[]): Promise<Answer[]> => {
    const by = await Promise.all(answers.map(({ body }, n) => statusBy(body.access_token, scene, gatewayUrl(n))));
    return answers.filter((_, n) => by[n] === 200);
  };
  /** Expects each response to be a success or invalid_grant, so that no request hangs or fails. Returns the successes. */
  const paired = (answers: Answer[]): Answer[] => {
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(refused.map(() => [400, 'invalid_grant']));
    return answers.filter(({ status }) => status === 200);
  };

  it('returns one token pair for a code, which the replay revokes', async () => {
    const code = await newCode(stage, scene);
    const pairs = paired(await atOnce(RACERS, (_, n) => redeem(gatewayUrl(n), scene.its, code)));
    expect([pairs.length, await opening(pairs), await rowsOfServer(stage, scene)]).toEqual([1, [], NOTHING]);
  });

  it('answers each concurrent refresh, and only one of the responses can continue', async () => {
    const { refresh: token } = await newPair(stage, scene);
    const pairs = paired(await atOnce(RACERS, (_, n) => refresh(gatewayUrl(n), scene.its, token)));
    expect([pairs.length, (await opening(pairs)).length]).toEqual([RACERS, 20]);
    const all = await atOnce(RACERS, (_, n) => refresh(gatewayUrl(n), scene.its, pairs[n]!.body.refresh_token));
    expect([paired(all).length, await opening(paired(all)), await rowsOfServer(stage, scene)]).toEqual([
      1,
      [],
      NOTHING,
    ]);
  });

  it('has no tokens left after a revocation during refreshes', async () => {
    const { refresh: token } = await newPair(stage, scene);
    const answers = await atOnce(RACERS, (_, n) => (n === 25 ? revoke : refresh)(gatewayUrl(n), scene.its, token));
    expect([answers.splice(25, 1)[0]!.status, await opening(paired(answers))]).toEqual([200, []]);
    expect(await rowsOfServer(stage, scene)).toEqual(NOTHING);
  });

  it('has no tokens left after its server is deleted during redemptions', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => newCode(stage, scene)));
    const [ended, ...answers] = await Promise.all([
      api.delete(`${MCP_SERVERS}/${scene.serverId}`),
      ...codes.map((code, n) => redeem(gatewayUrl(n), scene.its, code)),
    ]);
    expect([ended.status, await opening(paired(answers))]).toEqual([200, []]);
    expect(await rowsOfServer(stage, scene)).toEqual(NOTHING);
  });
});

describe('the quota of MCP servers', () => {
  it('is exact for concurrent requests above it', async () => {
    const large = await organizationOn('large', { product, plans });
    const workspaceId = await newWorkspace(large.api);
    const answers = await atOnce(LARGE + 15, (by) => createServer(by, workspaceId), large.apis);
    expect(made(answers)).toHaveLength(LARGE);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expectError(refused, 403, 'QUOTA_EXCEEDED');
      expect(refused.body.details).toEqual({ limit: LARGE, used: LARGE });
    }
    orgId = large.organization.id;
    api = large.api;
  });

  it('suspends the newest servers on a smaller plan, and resumes them on a larger one', async () => {
    const setPlan = (plan: string) => operatorOf(product.databaseUrl, plans.path).setPlan({ orgId, plan });
    const reasons = async () =>
      (await api.get(`${MCP_SERVERS}?includeSuspended=true`)).body.servers.map((one: any) => one.suspensionReason);
    await setPlan('small');
    await eventually(async () => expect(await reasons()).toEqual(['plan', 'plan', 'plan', null, null]));
    const { servers, total } = (await api.get(MCP_SERVERS)).body;
    expect([servers.length, total]).toEqual([SMALL, SMALL]);
    const newest = (await api.get(`${MCP_SERVERS}?includeSuspended=true`)).body.servers[0];
    expectError(await api.post(`${MCP_SERVERS}/${newest.id}/resume`), 403, 'QUOTA_EXCEEDED');
    await setPlan('large');
    await eventually(async () => expect(await reasons()).toEqual(Array(LARGE).fill(null)));
  });
});
