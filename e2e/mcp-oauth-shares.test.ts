// Shapes: local
import { type Client } from 'pg';
import { type AgentServer, agentServer, modern } from './support/agents.js';
import { openClient, rowsOf } from './support/database.js';
import { type Drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { redeem, refresh } from './support/oauth.js';
import {
  expectRefused,
  newCode,
  newPair,
  newScene,
  type Pair,
  revoke,
  type Scene,
  sharedStage,
  type Stage,
} from './support/oauth-stage.js';
import { provider } from './support/provider.js';
import { unfinished } from './support/unfinished.js';
import { sendRaw, type WireAnswer } from './support/wire.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

/** Concurrency limits of one network for OAuth clients and for browsers. Their sum is less than the 10 database connections of a process. */
const OF_NETWORK = 3;
const OF_PEOPLE = 6;
/** The limits of one server. Waiting requests use no database connection. */
const OF_SERVER = { atOnce: 2, waiting: 50 };

let product: Drawbridge;
let stage: Stage;
let scene: Scene;
let pair: Pair;
/** An agent of another organization. */
let neighbour: AgentServer;
let holding: Client;

beforeAll(async () => {
  ({ product, stage } = await sharedStage());
  const workspaceId = await newWorkspace(product.other);
  await newIntegration(product.other, workspaceId);
  neighbour = await agentServer(product.other, workspaceId);
});
beforeEach(async () => {
  scene = await newScene(stage);
  pair = await newPair(stage, scene);
  holding = await openClient(product.databaseUrl);
});
afterEach(() => holding.end());

/** Locks a row. Requests that need the row then wait, and each occupies a database connection. */
async function hold(row: string): Promise<void> {
  await holding.query('BEGIN');
  await holding.query(row, [scene.serverId]);
}

async function waiting(): Promise<number> {
  const count = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%mcp.%'`;
  return (await rowsOf<{ count: number }>(product.databaseUrl, count))[0]!.count;
}

/** Expects that exactly `count` requests wait for the locked row while requests of another organization are served. */
async function expectServed(count: number): Promise<void> {
  await eventually(async () => expect(await waiting()).toBeGreaterThanOrEqual(count));
  for (let list = 0; list < 5; list++) expect((await modern(neighbour)).status).toBe(200);
  expect(await waiting()).toBe(count);
}

it('requests from one network do not exhaust the database connections, and are served afterwards', async () => {
  await hold('SELECT FROM mcp.oauth_grants WHERE server_id = $1 FOR UPDATE');
  const asked = Array.from({ length: 10 * OF_NETWORK }, () => revoke(product.baseUrl, scene.its, pair.refresh));
  await expectServed(OF_NETWORK);
  for (const path of ['/healthz', '/docs', '/.well-known/oauth-authorization-server', '/oauth/jwks', '/sign-in'])
    expect((await fetch(product.baseUrl + path)).status).toBe(200);
  expect(await waiting()).toBe(OF_NETWORK);
  await holding.end();
  await Promise.all(asked);
  expect((await revoke(product.baseUrl, scene.its, pair.refresh)).status).toBe(200);
});

it('slow senders occupy no slot that others from the same network need', async () => {
  const slow = unfinished();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  slow.begin(2 * OF_NETWORK, `${product.baseUrl}/oauth/token`, type);
  slow.begin(2 * OF_PEOPLE, `${product.baseUrl}/sign-in`, { ...type, origin: product.baseUrl });
  await eventually(async () => expect(slow.going).toHaveLength(2 * (OF_NETWORK + OF_PEOPLE)));
  expect((await revoke(product.baseUrl, scene.its, pair.refresh)).status).toBe(200);
  expect((await fetch(`${product.baseUrl}/sign-in`)).status).toBe(200);
  slow.hangUp();
});

it('slow client metadata documents occupy no slot that others from the same network need', async () => {
  const site = await provider();
  let release = (): void => undefined;
  site.on('*', { status: 404, until: new Promise<void>((resolve) => (release = resolve)) });
  const pages = Array.from({ length: 2 * OF_PEOPLE }, (_, n) =>
    fetch(`${product.baseUrl}/oauth/authorize?client_id=https://api.example.com/slow-${n}`),
  );
  await eventually(async () => expect(site.requests).toHaveLength(pages.length));
  expect((await fetch(`${product.baseUrl}/sign-in`)).status).toBe(200);
  release();
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 400));
  await site.stop();
});

/** Sends a refresh request from an address of this machine. */
function refreshFrom(from: string): Promise<WireAnswer> {
  const fields = { grant_type: 'refresh_token', refresh_token: pair.refresh, client_id: scene.its.clientId };
  const form = new URLSearchParams(fields).toString();
  const head = ['POST /oauth/token HTTP/1.1', `Host: ${new URL(product.baseUrl).host}`, 'Connection: close'];
  const type = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`];
  return sendRaw(product.baseUrl, { from }, [...head, ...type, '', form].join('\r\n'));
}

it('requests for one server from many networks do not exhaust the database connections', async () => {
  const [code, other] = [await newCode(stage, scene), await newScene(stage)];
  await hold('SELECT FROM mcp.servers WHERE id = $1 FOR NO KEY UPDATE');
  const networks = Array.from({ length: 20 }, (_, n) => `127.0.1.${n}`);
  const asked = networks.flatMap((from) => Array.from({ length: OF_NETWORK }, () => refreshFrom(from)));
  const refused: WireAnswer[] = [];
  for (const one of asked) void one.then((answer) => answer.status === 429 && refused.push(answer));
  await expectServed(OF_SERVER.atOnce);
  // Requests that exceed the limit are rejected immediately, while the remaining requests wait.
  const beyond = asked.length - OF_SERVER.atOnce - OF_SERVER.waiting;
  await eventually(async () => expect(refused).toHaveLength(beyond));
  // A token or code of another client is rejected without waiting for the row.
  expectRefused(await refresh(product.baseUrl, other.its, pair.refresh), 400, 'invalid_grant');
  expectRefused(await redeem(product.baseUrl, other.its, code), 400, 'invalid_grant');
  expect(await waiting()).toBe(OF_SERVER.atOnce);
  await holding.end();
  const answers = await Promise.all(asked);
  expect(refused).toHaveLength(beyond);
  for (const { body, headers } of refused)
    expect([body.error, headers.has('retry-after')]).toEqual(['temporarily_unavailable', true]);
  expect(answers.map(({ status }) => status)).toContain(200);
});
