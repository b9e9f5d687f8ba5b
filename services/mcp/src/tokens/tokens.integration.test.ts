import { randomUUID } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type Pool } from 'pg';
import { type PrismaClient } from '../gen/prisma/client.js';
import { mcp } from '../index.js';
import { insertToken } from './tokens.js';

/** The maximum number of valid tokens of one end user for one server. */
const MAX_TOKENS = 100;

let close: () => Promise<void>;
let pool: Pool;
let unscoped: PrismaClient;

beforeAll(async () => {
  const opened = await openServiceDatabase(mcp);
  ({ close } = opened);
  ({ pool, unscoped } = opened.database);
});
afterAll(() => close());

it('deletes the token that was issued first, not that of the transaction that started first', async () => {
  const [orgId, workspaceId, serverId, endUserRecordId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await pool.query(
    `INSERT INTO mcp.servers (id, org_id, workspace_id, user_id, name, mode, approval_wait_seconds, auth_mode, end_user_access, updated_at)
      VALUES ($3, $1, $2, $1, 'S', 'TOOLS', 0, 'bearer', 'open', now())`,
    [orgId, workspaceId, serverId],
  );
  const issued = Array.from({ length: MAX_TOKENS }, newId);
  // The transactions of these tokens start after that of the next token, which waits for the lock of the server.
  await pool.query(
    `INSERT INTO mcp.tokens (id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id, end_user_record_id,
        created_at, expires_at)
      SELECT id, $1, $2, $3, 'bearer', id::text, 'mcp_', '{mcp:tools}', 'ada', $4, now() + interval '1 minute', now() + interval '1 hour'
      FROM unnest($5::uuid[]) id`,
    [orgId, workspaceId, serverId, endUserRecordId, issued],
  );
  const wanted = { kind: 'bearer' as const, accessToken: randomUUID(), scopes: ['mcp:tools'], expiresIn: 3_600 };
  const endUser = { endUserId: 'ada', endUserRecordId };
  const server = { id: serverId, orgId, workspaceId };
  const last = await unscoped.$transaction((tx) => insertToken(tx, server, { ...wanted, ...endUser }));
  const { rows } = await pool.query('SELECT id FROM mcp.tokens WHERE server_id = $1 ORDER BY id', [serverId]);
  expect(rows.map(({ id }) => id)).toEqual([...issued.slice(1), last]);
});
