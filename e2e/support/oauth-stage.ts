import { type AgentServer, modern } from './agents.js';
import { type Answer, type Api, apiWith } from './api.js';
import { type Canary } from './canaries.js';
import { rowsOf } from './database.js';
import { type Drawbridge, drawbridge } from './drawbridge.js';
import { newServer } from './mcp-servers.js';
import { allow, type Program, program, redeem, refresh, seenIn } from './oauth.js';
import { newPerson, type Person, signIn } from './web-users.js';
import { type Shown, type Web } from './web.js';
import { newWorkspace } from './workspace-integrations.js';

/** A workspace, and a signed-in user with an account that is an end user of the workspace. */
export interface Stage {
  product: Where;
  api: Api;
  workspaceId: string;
  person: Person;
  /** The id of the end user. */
  endUserId: string;
  web: Web;
}

interface Where {
  baseUrl: string;
  databaseUrl: string;
}

export async function oauthStage(product: Where, api: Api): Promise<Stage> {
  const [workspaceId, person] = await Promise.all([newWorkspace(api), newPerson(product.databaseUrl)]);
  const endUserId = await newEndUser(api, { workspaceId, email: person.email });
  return { product, api, workspaceId, person, endUserId, web: await signIn(product.baseUrl, person) };
}

/** Returns the stage of one test file in the shared product, and its first server. */
export async function sharedStage(): Promise<{ product: Drawbridge; stage: Stage; scene: Scene }> {
  const product = await drawbridge();
  const stage = await oauthStage(product, product.api);
  return { product, stage, scene: await newScene(stage) };
}

let made = 0;

export async function newEndUser(api: Api, fields: object): Promise<string> {
  const externalId = `oauth-${process.pid}-${++made}`;
  const { status, body } = await api.post('/api/v1/end-users', { externalId, ...fields });
  if (status !== 201) throw new Error(`Making an end user returned ${status}: ${JSON.stringify(body)}`);
  return body.endUser.id;
}

/** An MCP server of the workspace, and a client that requests access. */
export interface Scene {
  serverId: string;
  mcpEndpoint: string;
  its: Program;
}

export async function newScene(
  { product, api, workspaceId }: Pick<Stage, 'product' | 'api' | 'workspaceId'>,
  fields: object = {},
): Promise<Scene> {
  const { server, mcpEndpoint } = await newServer(api, workspaceId, fields);
  return { serverId: server.id, mcpEndpoint, its: await program(product.baseUrl, mcpEndpoint) };
}

/** Consents as the user. Returns the code. */
export const newCode = async ({ web }: Pick<Stage, 'web'>, { its }: Scene): Promise<string> =>
  (await allow(web, its)).get('code')!;

export interface Pair {
  access: string;
  refresh: string;
}

/** Consents and redeems the code. Returns the tokens. */
export const newPair = async (stage: Stage, scene: Scene): Promise<Pair> =>
  toPair(await redeem(stage.product.baseUrl, scene.its, await newCode(stage, scene)));

/** Throws if the response has no tokens. */
export function toPair({ status, body }: Answer): Pair {
  if (status !== 200) throw new Error(`The token endpoint returned ${status}: ${JSON.stringify(body)}`);
  return { access: body.access_token, refresh: body.refresh_token };
}

/** Returns the status of an MCP request with this token. It is 200 if the token is accepted. */
export async function statusBy(token: string, { serverId, mcpEndpoint }: Scene, at?: string): Promise<number> {
  const { origin, pathname: path } = new URL(mcpEndpoint);
  const agent: AgentServer = { serverId, baseUrl: at ?? origin, path, endUserId: '', token };
  return (await modern(agent)).status;
}

/** Opens the page and consents as the user. A client cannot do this, because it cannot read the hidden value of the page. */
export async function sayYes(web: Web, query: string, headers: Record<string, string> = {}): Promise<Shown> {
  const path = `/oauth/authorize?${query}`;
  return web.post(path, { decision: 'allow', seen: seenIn((await web.get(path)).text) }, headers);
}

export const revoke = (baseUrl: string, { clientId }: Program, token: string): Promise<Answer> =>
  apiWith(baseUrl, {}).send('POST', '/oauth/revoke', {
    text: new URLSearchParams({ token, client_id: clientId }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const SECRET = /mcp[a-z]?_[0-9A-Za-z]{46}/;

/** Expects neither a code nor a token in the response. */
export function expectNoSecret({ headers, ...answer }: { headers: Headers } & object): void {
  expect(JSON.stringify([answer, [...headers]])).not.toMatch(SECRET);
}

/** Returns the number of authorizations and tokens of a server. */
export async function rowsOfServer(
  { product }: Stage,
  { serverId }: Scene,
): Promise<{ grants: number; tokens: number }> {
  const sql = `SELECT (SELECT count(*)::int FROM mcp.oauth_grants WHERE server_id = $1) AS grants,
    (SELECT count(*)::int FROM mcp.tokens WHERE server_id = $1) AS tokens`;
  return (await rowsOf<{ grants: number; tokens: number }>(product.databaseUrl, sql, [serverId]))[0]!;
}

/** Expects an error in the format of RFC 6749, section 5.2, without any secret. */
export function expectRefused(answer: Answer, status: number, error: string): void {
  expect([answer.status, answer.body?.error]).toEqual([status, error]);
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expectNoSecret(answer);
}

const AGES = {
  code: 'UPDATE mcp.oauth_grants SET code_expires_at = code_expires_at - $2::interval WHERE server_id = $1',
  use: `UPDATE mcp.oauth_refresh_tokens SET used_at = used_at - $2::interval
    WHERE grant_id IN (SELECT id FROM mcp.oauth_grants WHERE server_id = $1)`,
  refresh: `UPDATE mcp.oauth_refresh_tokens SET expires_at = expires_at - $2::interval
    WHERE grant_id IN (SELECT id FROM mcp.oauth_grants WHERE server_id = $1)`,
};

/** Moves times of the server's authorizations into the past. */
export async function age({ product }: Stage, { serverId }: Scene, what: keyof typeof AGES, by: string): Promise<void> {
  await rowsOf(product.databaseUrl, AGES[what], [serverId, by]);
}

/** Runs an authorization from request to end. Returns its secrets as canaries, for which tests search in places that must not contain them. */
export async function oauthCanaries(stage: Stage): Promise<Record<string, Canary>> {
  const { baseUrl } = stage.product;
  const scene = await newScene(stage);
  const unused = await newCode(stage, scene);
  const code = await newCode(stage, scene);
  const first = toPair(await redeem(baseUrl, scene.its, code));
  const second = toPair(await refresh(baseUrl, scene.its, first.refresh));
  for (const { access } of [first, second]) await statusBy(access, scene);
  await redeem(baseUrl, scene.its, unused, { client_id: 'another' });
  await refresh(baseUrl, scene.its, second.refresh, { scope: 'admin' });
  await revoke(baseUrl, scene.its, second.access);
  await redeem(baseUrl, scene.its, code);
  const browser = stage.web.cookies.get('authorize')!;
  const all = [unused, code, first.access, first.refresh, second.access, second.refresh, scene.its.verifier, browser];
  return Object.fromEntries(all.map((text, n) => [`of OAuth, ${n}`, { text, core: text.slice(10) }]));
}
