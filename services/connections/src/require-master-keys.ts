import { type Pool } from 'pg';
import { type CredentialOwner, type Envelope, type WrappedKey } from './envelope-encryption.js';
import { type MasterKeys } from './master-keys.js';

export interface SealedTable {
  kind: CredentialOwner['kind'];
  /** Includes the schema. */
  name: string;
}

/**
 * Every table with keys that a master key encrypts. Each has id, org_id, wrapped_key and master_key_id, and an index that begins with master_key_id. All work on
 * master keys uses this list, in its order. A table that is missing here loses its keys with the next rotation. A table to which rows are copied must
 * follow the table that they come from.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  { kind: 'connection', name: 'connections.connections' },
  { kind: 'connection', name: 'connections.revocations' },
  { kind: 'oauth app', name: 'connections.oauth_apps' },
  { kind: 'webhook secret', name: 'connections.webhook_secrets' },
  { kind: 'trigger source', name: 'connections.source_secrets' },
  { kind: 'data key', name: 'connections.data_keys' },
];

/** More than one, because a row that was tampered with says nothing about its key. */
const SAMPLES = 5;

/**
 * Selects a few rows for each master key that the table uses. It steps from id to id with two index lookups each, however many rows there are; with
 * "=", the planner might scan the table.
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
 * Checks at the start that no master key is lost, before anything is encrypted under a new one. Throws an Error that names each key that is missing
 * from MASTER_KEYS, or has the right id but another value.
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

/** Returns the ids of the master keys that the table uses, each with a few rows. */
export async function usedKeys(pool: Pick<Pool, 'query'>, table: SealedTable): Promise<Map<string, Sample[]>> {
  const { rows } = await pool.query<Sample>(samplesForEachKey(table));
  const ids = new Set(rows.map(({ masterKeyId }) => masterKeyId));
  return new Map([...ids].map((id) => [id, rows.filter(({ masterKeyId }) => masterKeyId === id)]));
}
