// The kinds of call that a benchmark compares (subjects), each with the processes that use CPU time for the call.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ISSUE } from './product.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const POOL_SIZE = 10; // Each service of the product has a pool of this size, too.

const INSERT = { name: 'commit', text: 'INSERT INTO bench.commits (id, body) VALUES ($1, $2)' };
const UNPUBLISHED = 'SELECT 1 FROM execution.outbox WHERE published_at IS NULL LIMIT 1';

/**
 * Returns the subjects in the order in which a round measures them. `group` is a product of two processes, or undefined. `close` closes the
 * connections.
 */
export async function openSubjects({ provider, proxy, product, group }) {
  const pool = openPool(product);
  await pool.query('CREATE SCHEMA bench');
  await pool.query('CREATE TABLE bench.commits (id uuid PRIMARY KEY, body text NOT NULL)');

  const issue = JSON.stringify(ISSUE);
  const direct = { headers: JSON_TYPE, body: () => issue };
  const path = '/repos/acme/app/issues';
  const settle = settleOf(pool);
  const withKey = () => JSON.stringify({ ...product.action, idempotencyKey: randomUUID() });
  const commit = () => pool.query({ ...INSERT, values: [randomUUID(), issue] });
  const execute = { ...executeSubject(product), settle };
  const list = [
    { name: 'direct', url: provider.url + path, pids: [provider.pid], ...direct },
    { name: 'proxy', url: proxy.url + path, pids: [proxy.pid], ...direct },
    { name: 'commit', once: commit, pids: [product.databasePid] },
    execute,
    { ...executeSubject({ ...product, ...product.limited }), name: 'execute, plan', settle },
    { ...execute, name: 'execute, key', body: withKey, isFresh: true },
    summarySubject(product),
  ];
  if (!group) return { list, close: () => pool.end() };
  const groupPool = openPool(group);
  list.push({ ...executeSubject(group), name: 'execute, 2 processes', processes: 2, settle: settleOf(groupPool) });
  return { list, close: () => Promise.all([pool.end(), groupPool.end()]) };
}

function openPool({ databaseUrl }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined); // The database can stop while a connection is closing.
  return pool;
}

/** Returns a function that waits for the work after a response, such as publishing events, so that the cost of a run includes it. */
function settleOf(pool) {
  return async () => {
    while ((await pool.query(UNPUBLISHED)).rowCount) await sleep(50);
  };
}

/** Requests the catalog summary with a key, because requests without a key are rate-limited by address. */
function summarySubject({ baseUrl, key, pid }) {
  const url = `${baseUrl}/api/v1/integrations?summary=true`;
  return { name: 'summary', url, headers: { authorization: `Bearer ${key}` }, pids: [pid] };
}

/** Executes create_issue through the product without an idempotency key. */
export function executeSubject({ baseUrl, key, action, pid, databasePid }) {
  const body = JSON.stringify(action);
  return {
    name: 'execute',
    url: `${baseUrl}/api/v1/actions/execute`,
    headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
    body: () => body,
    pids: [pid, databasePid],
  };
}
