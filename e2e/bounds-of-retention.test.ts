// Shapes: none; in full: local
import { randomBytes } from 'node:crypto';
import { hashToken } from '@drawbridge/contracts';
import { type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { newServer } from './support/mcp-servers.js';
import { newWorkspace } from './support/workspace-integrations.js';
import { ownProduct } from './support/own-product.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RUN_LOG_DAYS = 2;
const EVENT_DAYS = 7;
const SESSION_DAYS = 1;
const APPROVAL_DAYS = 90;
const DELIVERY_DAYS = 30;
const TRIGGER_EVENT_DAYS = 37;
const MAIL = { days: 1, shown: 'email', row: '(id, org_id, email, created_at) VALUES ($1, $1, $2, $3)' };
const ORIGIN = "(id, org_id, email, origin, expires_at) VALUES ($1, $1, $2, '', $3)";
/** For each table: its retention, the column that identifies rows, and a row. $1 is an id, $2 the identifying value, $3 the creation time. */
const KEPT = {
  'approvals.sent_mails': MAIL,
  'connections.sent_mails': MAIL,
  'connections.email_proofs': {
    days: 1,
    shown: 'email',
    row: `(id, org_id, workspace_id, flow_hash, email, expires_at, created_at) VALUES ($1, $1, $1, $2, $2, $3, $3)`,
  },
  'connections.proven_origins': { ...MAIL, days: 0, row: ORIGIN },
  'mcp.oauth_clients': {
    days: 0,
    shown: 'name',
    row: `(id, name, redirect_uris, application_type, expires_at) VALUES ($1, $2, '{}', 'web', $3)`,
  },
  'mcp.oauth_grants': {
    days: 0,
    shown: 'code_hash',
    row: `(id, org_id, workspace_id, server_id, end_user_id, end_user_record_id, client_id, scopes, code_hash, code_challenge,
        redirect_uri, code_expires_at, expires_at)
      SELECT $1, org_id, workspace_id, id, '', $1, '', '{}', $2, '', '', $3, $3 FROM mcp.servers LIMIT 1`,
  },
  // A refresh token of an authorization that is retained, and a refresh token of an authorization that expires.
  'mcp.oauth_refresh_tokens': {
    days: 0,
    shown: 'token_hash',
    row: `(id, org_id, grant_id, token_hash, access_token_id, expires_at)
      SELECT $1, org_id, id, $2, $1, $3 FROM mcp.oauth_grants ORDER BY expires_at DESC LIMIT 1`,
  },
  'approvals.model_verdicts': {
    days: 1,
    shown: 'input_hash',
    row: `(org_id, policy_id, input_hash, policy_version, created_at, is_risky, reason) VALUES ($1, $1, $2, $3, $3, true, '')`,
  },
  'triggers.events': {
    days: TRIGGER_EVENT_DAYS,
    shown: 'provider_id',
    row: `(id, org_id, workspace_id, source_id, provider_id, payload, simulate, created_at)
      VALUES ($1, $1, $1, $1, $2, '{}', false, $3)`,
  },
  'triggers.deliveries': {
    days: DELIVERY_DAYS,
    shown: 'error_message',
    row: `(id, org_id, workspace_id, source_id, event_id, status, error_message, updated_at)
      VALUES ($1, $1, $1, $1, $1, 'failed', $2, $3)`,
  },
  'triggers.inbound': {
    days: EVENT_DAYS,
    shown: 'integration_name',
    row: `(id, integration_name, method, url, headers, body, received_at) VALUES ($1, $2, 'POST', '/', '{}', '', $3)`,
  },
};
/** Expired rows are deleted within a minute. The tests wait longer to allow for slow machines. */
const PURGED_MS = 90_000;

let product: Product;
let api: Api;

beforeAll(async () => {
  product = await ownProduct({ env: { RUN_LOG_DAYS: String(RUN_LOG_DAYS) } });
  api = apiOf(product.baseUrl, product.key);
  await newServer(api, await newWorkspace(api));
});
afterAll(() => product?.stop());

/** Returns an id of this age. The first 48 bits of a UUIDv7 are its time. */
function idOfAge(age: number): string {
  const time = (Date.now() - age).toString(16).padStart(12, '0');
  const random = randomBytes(8).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(4)}`;
}

/** Copies a row that the product created, with changes such as an older date. */
async function copyRow(table: string, changes: object): Promise<void> {
  const copy = `INSERT INTO ${table} SELECT (jsonb_populate_record(one, $1)).* FROM ${table} one LIMIT 1`;
  await rowsOf(product.databaseUrl, copy, [changes]);
}

const ago = (age: number): string => new Date(Date.now() - age).toISOString();

/** Inserts an approval that was decided `age` milliseconds ago. */
async function decidedApproval(key: string, age: number): Promise<void> {
  const columns = `id, org_id, workspace_id, policy_id, source, status, integration_name, action_name, input_hash, input_preview,
    redacted_paths, risk_reasons, approval_access_mode, approvers, idempotency_key, timeout_seconds, default_on_timeout, expires_at,
    updated_at`;
  const values = `$1, $1, $1, $1, 'rest', 'rejected', 'http', 'send_request', '', '{}', '{}', '{}', 'dashboard_only', '[]', $2, 60,
    'reject', $3, $3`;
  const insert = `INSERT INTO approvals.approval_requests (${columns}) VALUES (${values})`;
  await rowsOf(product.databaseUrl, insert, [idOfAge(age), key, ago(age)]);
}

/** Inserts a delivery with a last attempt `age` milliseconds ago. */
async function webhookDelivery(url: string, age: number): Promise<void> {
  const columns = 'id, org_id, workspace_id, event_type, callback_url, status, occurred_at, updated_at';
  const insert = `INSERT INTO approvals.webhook_deliveries (${columns}) VALUES ($1, $1, $1, 'e', $2, 'failed', $3, $3)`;
  await rowsOf(product.databaseUrl, insert, [idOfAge(age), url, ago(age)]);
}

/** Inserts rows that no API creates here. They are `hours` older than their retention, or younger if the value is negative. */
async function insertRows(called: string, hours: number): Promise<void> {
  for (const [table, { days, row }] of Object.entries(KEPT)) {
    const age = days * DAY + hours * HOUR;
    await rowsOf(product.databaseUrl, `INSERT INTO ${table} ${row}`, [idOfAge(age), called, ago(age)]);
  }
}

async function openSession(): Promise<void> {
  const facts = { integrationName: 'http', connectionName: 'C', externalId: 'c', workspaceId: await newWorkspace(api) };
  expect((await api.post('/api/v1/connect/token', facts)).status).toBe(200);
}

/** Creates an end user with one portal link. */
async function portalLink(): Promise<string> {
  const person = { workspaceId: await newWorkspace(api), externalId: 'ann' };
  const { endUser } = (await api.post('/api/v1/end-users', person)).body;
  return (await api.post(`/api/v1/end-users/${endUser.id}/connect-token`, {})).body.token;
}

async function run(key: string): Promise<string> {
  const workspaceId = await newWorkspace(api);
  const hash = { integrationName: 'hash-encode', actionName: 'hash', input: { text: 'a', algorithm: 'sha256' } };
  expect((await api.post('/api/v1/actions/execute', { ...hash, workspaceId, idempotencyKey: key })).status).toBe(200);
  return (await api.get('/api/v1/executions')).body.executions[0].id;
}

it(
  'deletes runs, stored responses, connect sessions, portal links, mails, verdicts, authorizations and events after their retention, and not before',
  async () => {
    const fresh = await run('fresh');
    const [old, young] = [idOfAge(RUN_LOG_DAYS * DAY + HOUR), idOfAge(RUN_LOG_DAYS * DAY - HOUR)];
    for (const id of [old, young]) await copyRow('execution.executions', { id });
    for (const [key, age] of Object.entries({ over: HOUR, kept: -HOUR })) {
      await copyRow('execution.claims', { key, expires_at: ago(age) });
    }
    await openSession();
    for (const [hash, age] of Object.entries({ gone: SESSION_DAYS * DAY + HOUR, over: SESSION_DAYS * DAY - HOUR })) {
      await copyRow('connections.connect_sessions', { id: idOfAge(age), token_hash: hash, expires_at: ago(age) });
    }
    await decidedApproval('gone', APPROVAL_DAYS * DAY + HOUR);
    await decidedApproval('kept', APPROVAL_DAYS * DAY - HOUR);
    await webhookDelivery('gone', DELIVERY_DAYS * DAY + HOUR);
    await webhookDelivery('kept', DELIVERY_DAYS * DAY - HOUR);
    await insertRows('gone', 1);
    await insertRows('kept', -1);
    const links = { over: await portalLink(), kept: await portalLink() };
    const ended = `UPDATE connections.portal_tokens SET expires_at = now() WHERE token_hashes @> ARRAY[$1]`;
    await rowsOf(product.databaseUrl, ended, [hashToken(links.over)]);
    const ages = [EVENT_DAYS * DAY + HOUR, EVENT_DAYS * DAY - HOUR];
    const events = ages.map((age) => ({ id: idOfAge(age), at: ago(age) }));
    for (const { id, at } of events) {
      await copyRow('execution.outbox', { id, created_at: at, published_at: at });
      await rowsOf(product.databaseUrl, 'INSERT INTO catalog.inbox VALUES ($1, $2)', [id, at]);
    }

    const left = async (sql: string): Promise<unknown[]> =>
      (await rowsOf<{ one: unknown }>(product.databaseUrl, sql)).map(({ one }) => one);
    const inbox = `SELECT event_id AS one FROM catalog.inbox WHERE event_id IN ('${events.map(({ id }) => id).join("','")}')`;
    await eventually(async () => {
      expect((await api.get(`/api/v1/executions/${old}`)).status).toBe(404);
      expect(await left('SELECT key AS one FROM execution.claims ORDER BY key')).toEqual(['fresh', 'kept']);
      const sessions = `SELECT token_hash AS one FROM connections.connect_sessions WHERE token_hash IN ('gone', 'over')`;
      expect(await left(sessions)).toEqual(['over']);
      expect(await left('SELECT idempotency_key AS one FROM approvals.approval_requests')).toEqual(['kept']);
      expect(await left('SELECT callback_url AS one FROM approvals.webhook_deliveries')).toEqual(['kept']);
      for (const [table, { shown }] of Object.entries(KEPT)) {
        expect(await left(`SELECT ${shown} AS one FROM ${table}`)).toEqual(['kept']);
      }
      const tokens = 'SELECT token_hashes AS one FROM connections.portal_tokens';
      expect(await left(tokens)).toEqual([[hashToken(links.kept)]]);
      expect(await left(inbox)).toEqual([events[1]!.id]);
      const outbox = `SELECT id AS one FROM execution.outbox WHERE published_at < now() - interval '1 day'`;
      expect(await left(outbox)).toEqual([events[1]!.id]);
    }, PURGED_MS);
    for (const id of [young, fresh]) expect((await api.get(`/api/v1/executions/${id}`)).status).toBe(200);
  },
  2 * PURGED_MS,
);
