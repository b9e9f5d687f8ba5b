import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type Pool } from 'pg';
import { mcp } from '../index.js';
import { accessLookUp } from './token-access.js';

/**
 * A revoked token must be rejected within a second. The gateway may use a result for another 450 ms (`FRESH_MS` of its MCP endpoint), so the mcp
 * service may use a cached result for at most half a second.
 */
const MOST_MS = 500;

let close: () => Promise<void>;
let pool: Pool;

beforeAll(async () => {
  const opened = await openServiceDatabase(mcp);
  ({ close } = opened);
  ({ pool } = opened.database);
});
afterAll(() => close());

async function newServer(): Promise<string> {
  const { rows } = await pool.query(
    `INSERT INTO mcp.servers (id, org_id, workspace_id, user_id, name, mode, approval_wait_seconds, auth_mode, end_user_access, updated_at)
      VALUES (gen_random_uuid(), $1, $2, $1, 'S', 'TOOLS', 0, 'bearer', 'open', now()) RETURNING id`,
    [randomUUID(), randomUUID()],
  );
  return rows[0].id;
}

async function addToken(serverId: string, hash: string, endUserId: string): Promise<void> {
  await pool.query(
    `INSERT INTO mcp.tokens (id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id, end_user_record_id, expires_at)
      SELECT gen_random_uuid(), org_id, workspace_id, id, 'bearer', $2, 'mcp_', '{mcp:tools}', $3, gen_random_uuid(), now() + interval '1 hour'
      FROM mcp.servers WHERE id = $1`,
    [serverId, hash, endUserId],
  );
}

/** Deletes a token in the database, as another process would. The cache of this process does not learn of it. */
const revoke = (hash: string) => pool.query('DELETE FROM mcp.tokens WHERE token_hash = $1', [hash]);

it('answers from its cache for less than half a second after a token was revoked elsewhere', async () => {
  const [find, serverId, hash] = [accessLookUp(pool), await newServer(), randomUUID()];
  await addToken(serverId, hash, 'ada');
  // The token is revoked right after a look-up, so that its cached result is used for the longest time.
  expect((await find(`${serverId} ${hash}`))?.tokenEndUserId).toBe('ada');
  await revoke(hash);
  const revokedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const found = await find(`${serverId} ${hash}`);
    if (found!.tokenId === null) break;
    expect(askedAt - revokedAt).toBeLessThan(MOST_MS);
    await sleep(20); // The token is used during the whole time, because use must not extend the lifetime of its cached result.
  }
});

it('refuses a revoked token at once after `forget`, even if a look-up was under way', async () => {
  const [find, serverId, hash] = [accessLookUp(pool), await newServer(), randomUUID()];
  await addToken(serverId, hash, 'ada');
  const underWay = find(`${serverId} ${hash}`);
  await revoke(hash);
  find.forget();
  expect((await find(`${serverId} ${hash}`))?.tokenId).toBeNull();
  await underWay;
  expect((await find(`${serverId} ${hash}`))?.tokenId).toBeNull();
});

it('never answers for another token, server, organization or end user', async () => {
  const find = accessLookUp(pool);
  const [one, other] = [await newServer(), await newServer()];
  const [ada, bob] = [randomUUID(), randomUUID()];
  await addToken(one, ada, 'ada');
  await addToken(other, bob, 'bob');
  for (let look = 0; look < 2; look++) {
    const [own, stranger, reversed, his, unknown] = await Promise.all([
      find(`${one} ${ada}`),
      find(`${one} ${bob}`),
      find(`${other} ${ada}`),
      find(`${other} ${bob}`),
      find(`${randomUUID()} ${ada}`),
    ]);
    expect([own, his].map((found) => [found?.id, found?.tokenEndUserId])).toEqual([
      [one, 'ada'],
      [other, 'bob'],
    ]);
    expect([stranger, reversed].map((found) => [found?.id, found?.tokenId])).toEqual([
      [one, null],
      [other, null],
    ]);
    expect(own?.orgId).not.toBe(his?.orgId);
    expect(unknown).toBeUndefined();
  }
});
