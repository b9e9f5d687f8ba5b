import { type Pool } from 'pg';
import { type Envelope, type WrappedKey } from './envelope-encryption.js';
import { type MasterKeys } from './master-keys.js';
import { SEALED_TABLES, type SealedTable } from './sealed-tables.js';

/** More than one, for a row that somebody changed says nothing of its key. */
const SAMPLES = 5;

/**
 * A few rows for each master key that the table holds something under. It steps from id to id through the index, two look-ups each,
 * however many rows there are; "=" would let the planner read the table instead.
 */
export const samplesForEachKey = ({ name }: Pick<SealedTable, 'name'>): string => `
  WITH RECURSIVE ids AS (
    (SELECT master_key_id AS id FROM ${name} ORDER BY master_key_id LIMIT 1)
    UNION ALL
    SELECT (SELECT master_key_id FROM ${name} WHERE master_key_id > ids.id ORDER BY master_key_id LIMIT 1)
    FROM ids WHERE ids.id IS NOT NULL
  )
  SELECT few.* FROM ids CROSS JOIN LATERAL (
    SELECT id, org_id AS "orgId", wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"
    FROM ${name} WHERE master_key_id >= ids.id ORDER BY master_key_id LIMIT ${SAMPLES}
  ) AS few WHERE few."masterKeyId" = ids.id`;

interface Sample extends WrappedKey {
  id: string;
  orgId: string;
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
  const problems = new Set<string>();
  for (const table of SEALED_TABLES) {
    for (const [id, samples] of await usedKeys(pool, table)) {
      const problem = masters.byId.has(id) ? 'is not the one of that name that was used' : 'is missing';
      const { kind } = table;
      if (!samples.some((row) => sealing.unwraps(row, { ...row, kind }))) problems.add(`key ${id} ${problem}`);
    }
  }
  if (problems.size === 0) return;
  const advice = 'credentials are stored under it; put it back, beside others if there are any (docs/operating.md)';
  throw new Error(`MASTER_KEYS: ${[...problems].join(', ')}: ${advice}`);
}

/** The ids of the master keys under which the table holds something, each with a few rows. */
export async function usedKeys(pool: Pick<Pool, 'query'>, table: SealedTable): Promise<Map<string, Sample[]>> {
  const { rows } = await pool.query<Sample>(samplesForEachKey(table));
  const ids = new Set(rows.map(({ masterKeyId }) => masterKeyId));
  return new Map([...ids].map((id) => [id, rows.filter(({ masterKeyId }) => masterKeyId === id)]));
}
