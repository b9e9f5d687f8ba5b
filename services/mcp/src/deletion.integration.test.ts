import { randomUUID } from 'node:crypto';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type Pool, type PoolClient } from 'pg';
import { mcp } from './index.js';
import { emptyWorkspace } from './deletion.js';

const LIMIT = 100;
/** Number of OAuth grants of the workspace, with one refresh token each. */
const ALLOWED = 1_000;
/** Number of OAuth grants of another workspace. In a small table, PostgreSQL reads the whole index, because a search costs as much. */
const OTHERS = 20_000;

let close: () => Promise<void>;
let pool: Pool;

beforeAll(async () => {
  const opened = await openServiceDatabase(mcp);
  ({ close } = opened);
  ({ pool } = opened.database);
});
afterAll(() => close());

/**
 * Runs one batch with the indexes that PostgreSQL would use on large tables. Returns the number of deleted rows, and the number of rows of
 * `oauth_grants` that were read.
 */
async function turn(workspaceId: string): Promise<{ gone: number; read: number }> {
  const tx = await pool.connect();
  try {
    await tx.query('BEGIN; SET LOCAL enable_seqscan = off');
    const before = await readSoFar(tx);
    const gone = await emptyWorkspace(tx, workspaceId, LIMIT);
    const read = (await readSoFar(tx)) - before;
    await tx.query('COMMIT');
    return { gone, read };
  } finally {
    tx.release(true);
  }
}

async function readSoFar(tx: PoolClient): Promise<number> {
  const { rows } = await tx.query<{ read: number }>(`
    SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables
    WHERE schemaname = 'mcp' AND relname = 'oauth_grants'`);
  return rows[0]!.read;
}

/** Inserts a server with OAuth grants, each with a refresh token. */
async function insertGrants(orgId: string, workspaceId: string, count: number): Promise<void> {
  const serverId = randomUUID();
  await pool.query(
    `INSERT INTO mcp.servers (id, org_id, workspace_id, user_id, name, mode, approval_wait_seconds, auth_mode, end_user_access, updated_at)
      VALUES ($3, $1, $2, $1, 'S', 'TOOLS', 0, 'oauth', 'open', now())`,
    [orgId, workspaceId, serverId],
  );
  await pool.query(
    `WITH allowed AS (
        INSERT INTO mcp.oauth_grants (id, org_id, workspace_id, server_id, end_user_id, end_user_record_id, client_id, scopes, code_hash,
          code_challenge, redirect_uri, code_expires_at, expires_at)
        SELECT gen_random_uuid(), $1, $2, $3, 'u', gen_random_uuid(), 'c', '{}', gen_random_uuid(), '', '', now(), now()
        FROM generate_series(1, $4::int) n RETURNING id, org_id, code_hash)
      INSERT INTO mcp.oauth_refresh_tokens (id, org_id, grant_id, token_hash, access_token_id, expires_at)
      SELECT gen_random_uuid(), org_id, id, code_hash, gen_random_uuid(), now() FROM allowed`,
    [orgId, workspaceId, serverId, count],
  );
}

it('deletes the OAuth grants and refresh tokens of a workspace, in bounded batches', async () => {
  const [orgId, workspaceId] = [randomUUID(), randomUUID()];
  await insertGrants(orgId, workspaceId, ALLOWED);
  await insertGrants(randomUUID(), randomUUID(), OTHERS);
  await pool.query('ANALYZE mcp.oauth_grants, mcp.oauth_refresh_tokens');

  const turns = [];
  do turns.push(await turn(workspaceId));
  while (turns.at(-1)!.gone > 0);
  // The batches: the refresh tokens, the grants, the server, and a last batch that finds no rows.
  expect(turns).toHaveLength((2 * ALLOWED) / LIMIT + 2);
  expect(Math.max(...turns.map(({ read }) => read))).toBeLessThanOrEqual(4 * LIMIT);
  const left = `SELECT (SELECT count(*) FROM mcp.oauth_refresh_tokens WHERE org_id = $1) + (SELECT count(*) FROM mcp.servers WHERE org_id = $1) AS left`;
  expect((await pool.query(left, [orgId])).rows).toEqual([{ left: '0' }]);
});
