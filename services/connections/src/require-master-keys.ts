import { type Pool } from 'pg';
import { type Envelope } from './envelope-encryption.js';
import { type MasterKeys } from './master-keys.js';

/**
 * One connection for each master key that the vault holds something under. It steps from id to id through the index, two
 * look-ups each, however many connections there are; "=" would let the planner read the table instead.
 */
export const ONE_FOR_EACH_KEY = `
  WITH RECURSIVE ids AS (
    (SELECT master_key_id AS id FROM connections.connections ORDER BY master_key_id LIMIT 1)
    UNION ALL
    SELECT (SELECT master_key_id FROM connections.connections WHERE master_key_id > ids.id ORDER BY master_key_id LIMIT 1)
    FROM ids WHERE ids.id IS NOT NULL
  )
  SELECT one.* FROM ids CROSS JOIN LATERAL (
    SELECT id, org_id AS "orgId", wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"
    FROM connections.connections WHERE master_key_id >= ids.id ORDER BY master_key_id LIMIT 1
  ) AS one WHERE ids.id IS NOT NULL`;

interface Sample {
  id: string;
  orgId: string;
  wrappedKey: Buffer<ArrayBuffer>;
  masterKeyId: string;
}

/**
 * Asked at the start, so that a lost key is noticed before anything is encrypted beside it. Fails naming each key that is
 * missing from MASTER_KEYS, or is another one under the name of the right one.
 */
export async function requireMasterKeys(
  pool: Pick<Pool, 'query'>,
  masters: MasterKeys,
  sealing: Envelope,
): Promise<void> {
  const { rows } = await pool.query<Sample>(ONE_FOR_EACH_KEY);
  const problems = rows.flatMap((row) => {
    if (!masters.byId.has(row.masterKeyId)) return [`key ${row.masterKeyId} is missing`];
    return sealing.unwraps(row, { ...row, kind: 'connection' })
      ? []
      : [`key ${row.masterKeyId} is not the one of that name that was used`];
  });
  if (problems.length === 0) return;
  const advice = 'credentials are stored under it; put it back, beside others if there are any (docs/operating.md)';
  throw new Error(`MASTER_KEYS: ${problems.join(', ')}: ${advice}`);
}
