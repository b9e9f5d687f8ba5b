// Shapes: none; in full: local
import { type FakeProvider, fakeProvider, type Product, temporaryDatabase } from '@drawbridge/testkit';
import { type Client } from 'pg';
import { type Api, apiOf } from './support/api.js';
import { openClient } from './support/database.js';
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { costsOf } from './support/explain.js';
import { expectAnswered } from './support/expect-answered.js';
import { fillTables } from './support/fill-tables.js';
import { fillOlderRuns, useLimitedKey } from './support/limited-key.js';
import { FOR_ALL } from './support/for-all.js';
import { SLACK_SECRET } from './support/fakes.js';
import { type Asked } from './support/frontend-messages.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { callOperation, operationsOf } from './support/operations.js';
import { ownProduct } from './support/own-product.js';
import { newPerson } from './support/people.js';
import { useOAuth } from './support/use-oauth.js';
import { waitingInbound } from './support/notified-triggers.js';
import { namesTenant, tablesOfTenants } from './support/tenancy-of-statements.js';
import { asSlack } from './support/trigger-vendors.js';
import { newPerson as newWebUser } from './support/web-users.js';
import { webOf } from './support/web.js';

/** The number of rows. `ROWS=1000000` takes three minutes. */
const ROWS = Number(process.env.ROWS ?? 100_000);
const FILL_MS = 600_000;

let behind: Awaited<ReturnType<typeof temporaryDatabase>>;
let database: DatabaseProxy;
let provider: FakeProvider;
let product: Product;
let client: Client;
let statements: Asked[];
/** The workspaces that a limited key can access. */
let places: string[];

beforeAll(async () => {
  behind = await temporaryDatabase();
  database = await databaseProxy(behind.url);
  provider = await fakeProvider();
  const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': provider.url });
  const OAUTH_APPS = JSON.stringify({ slack: { clientId: 'a', clientSecret: 'b', webhookSecret: SLACK_SECRET } });
  product = await ownProduct({ env: { DATABASE_URL: database.url, ORIGIN_MAP, OAUTH_APPS } });
  client = await openClient(behind.url);
  const api = apiOf(product.baseUrl, product.key);
  await useEverything(api, await ownedResources(api, await newPerson(product)));
  statements = [...database.asked.values()].filter(
    (asked) => /^[\s(]*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(asked.sql) && isOurs(asked),
  );
  expect(statements.length).toBeGreaterThan(50);
}, FILL_MS);
afterAll(async () => {
  await client?.end();
  await product?.stop();
  await provider.stop();
  await database.stop();
  await behind.drop();
});

/** Actions that use stored state. Each variant executes different statements. */
const KEPT: [string, string, object][] = [
  ['kv-store', 'set', { key: 'k', value: 1 }],
  ['kv-store', 'get', { key: 'k' }],
  ['kv-store', 'list', { prefix: 'k' }],
  ['kv-store', 'delete', { key: 'k' }],
  ['agent-memory', 'search', { query: 'x' }],
  ['agent-scratchpad', 'read', {}],
  ['agent-scratchpad', 'clear', {}],
];

/** Runs every operation, in all variants that execute different statements, and the background jobs. */
async function useEverything(api: Api, own: OwnedResources): Promise<void> {
  for (const operation of await operationsOf(api)) {
    const good = await EVERY_OPERATION[operation.id]!.call(own);
    expectAnswered(operation.id, await callOperation(api, operation, good));
  }
  const { createIssue, workspaceId } = own;
  for (const _ of ['first', 'replayed'])
    await api.post('/api/v1/actions/execute', { ...createIssue, idempotencyKey: 'k' });
  for (const [integrationName, actionName, input] of KEPT)
    await api.post('/api/v1/actions/execute', { integrationName, actionName, workspaceId, endUserId: 'u', input });
  const all = [
    'workspaces?limit=100&includeSuspended=true',
    'connections?limit=100&includeSuspended=true',
    'api-keys',
    'members',
  ];
  const deep = ['workspaces?offset=1', 'connections?offset=1', 'api-keys?offset=1', 'members?offset=1'];
  const people = [`end-users?workspaceId=${workspaceId}&offset=1`];
  const runs = ['executions?limit=1', `executions?limit=1&workspaceId=${workspaceId}`];
  const asked = ['', '&status=pending', '&source=rest', '&integrationName=github', '&actionName=comment'].map(
    (filter) => `approvals?limit=1${filter}`,
  );
  const pairs = [
    `workspaceId=${workspaceId}&status=rejected`,
    `workspaceId=${workspaceId}&actionName=none`,
    'source=rest&actionName=none&integrationName=none',
    'status=pending&source=sdk',
  ].map((filters) => `approvals?limit=1&${filters}`);
  const entries = filtersOf(own).map((filter) => `audit-log?limit=1&${filter}`);
  for (const path of [...all, ...deep, ...people, ...runs, ...asked, ...pairs, ...entries]) {
    const { body } = await api.get(`/api/v1/${path}`);
    if (body.nextCursor) expect((await api.get(`/api/v1/${path}&cursor=${body.nextCursor}`)).status).toBe(200);
  }
  for (const more of [{}, { endUserId: 'u' }, { externalId: 'none' }]) {
    await api.post('/api/v1/connections/resolve', { integrationName: 'http', workspaceId, ...more });
    await api.post('/api/v1/connections/resolve', { integrationName: 'github', workspaceId, ...more });
  }
  places = await useLimitedKey(product.baseUrl, api);
  const person = await newWebUser(behind.url);
  const web = webOf(product.baseUrl);
  expect((await web.post('/sign-in', { email: person.email, password: person.password })).to).toBe('/account');
  expect((await web.get('/account')).status).toBe(200);
  expect((await web.get('/api/v1/organization')).status).toBe(200);
  await useOAuth(product.baseUrl, api, { person, web });
  const { body } = await api.post('/api/v1/members/invite', { email: 'linked@example.com' });
  const { pathname, search } = new URL(body.link);
  expect((await web.get(pathname + search)).status).toBe(200);
  const made = (await api.post(`/api/v1/end-users/${own.endUserId}/connect-token`, {})).body;
  const { to: portal } = await web.get(`/connect/portal?token=${made.token}`);
  expect((await web.get(portal!)).status).toBe(200);
  const { approvals } = (await api.get('/api/v1/approvals?limit=1&status=pending')).body;
  const hosted = new URL(approvals[0].hostedApprovalUrl);
  expect((await webOf(product.baseUrl).get(hosted.pathname + hosted.search)).status).toBe(303);
  const ofTeam = JSON.stringify({ type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event: { type: 'message' } });
  await api.post(`/api/v1/webhooks/github/${'A'.repeat(32)}`);
  const headers = { 'content-type': 'application/json', ...asSlack(ofTeam) };
  expect((await api.send('POST', '/api/v1/webhooks/slack/app', { text: ofTeam, headers })).status).toBe(200);
  await eventually(async () => expect(await waitingInbound(behind.url)).toBe(0));
  // All background jobs have run once when the workspace that an earlier call deleted has been purged in every service.
  const keepers = await client.query(`SELECT FROM pg_tables WHERE tablename = 'purged_workspaces'`);
  const emptied = /UPDATE \w+\.purged_workspaces SET emptied_at/;
  await eventually(async () =>
    expect([...database.asked.keys()].filter((sql) => emptied.test(sql))).toHaveLength(keepers.rowCount!),
  );
  await eventually(async () => expect(database.count(/UPDATE members\.api_keys SET last_used_at/)).toBeGreaterThan(0));
}

/** Returns single filters of the audit log, with values that match many rows and values that match few. */
function filtersOf({ workspaceId, keyId }: OwnedResources): string[] {
  const [actions, types] = [
    ['connection.use', 'workspace.create'],
    ['connection', 'workspace'],
  ];
  const now = Date.now();
  return [
    ...[`workspaceId=${workspaceId}`, `actor=${keyId}`, `resourceId=${workspaceId}`],
    ...actions.map((action) => `action=${action}`),
    ...types.map((type) => `resourceType=${type}`),
    `from=${new Date(now - 60_000).toISOString()}`,
    // This time is after the creation of the filler rows, even on a slow machine.
    `to=${new Date(now + 3_600_000).toISOString()}`,
    `action=connection.use&resourceId=${workspaceId}`,
    `action=workspace.create&actor=${keyId}`,
    `action=none&resourceType=connection&workspaceId=${workspaceId}`,
  ];
}

it('every statement on tenant tables names the organization, except those that serve all', async () => {
  const tables = await tablesOfTenants(client);
  const unnamed = statements
    .map(({ sql }) => sql.replace(/\s+/g, ' ').trim())
    .filter((sql) => !namesTenant(sql, tables));
  const servesAll = (sql: string): boolean => Object.values(FOR_ALL).some((pattern) => pattern.test(sql));
  expect(unnamed.filter((sql) => !servesAll(sql))).toEqual([]);
  const used = Object.keys(FOR_ALL).filter((name) => unnamed.some((sql) => FOR_ALL[name]!.test(sql)));
  expect(used).toEqual(Object.keys(FOR_ALL));
});

it(
  'no statement reads more rows from large tables than from small ones',
  async () => {
    const { organization } = (await apiOf(product.baseUrl, product.key).get('/api/v1/organization')).body;
    await product.kill('drawbridge', 'SIGTERM');
    await fillTables(client, ROWS, { orgId: organization.id });
    await fillOlderRuns(client, ROWS / 5, { orgId: organization.id, workspaceIds: places });
    const costly: { sql: string; costs: string[] }[] = [];
    for (const asked of statements) {
      const costs = await costsOf(client, asked);
      if (costs.length > 0) costly.push({ sql: asked.sql.replace(/\s+/g, ' '), costs });
    }
    expect(costly).toEqual([]);
  },
  FILL_MS,
);

/** Excludes statements of migrations and statements that create a queue, because they are only executed at the start. */
function isOurs({ sql }: Asked): boolean {
  return !/_(prisma|shipped)_migrations|to_regclass|pg_advisory_(un)?lock\(|CREATE SCHEMA/.test(sql);
}
