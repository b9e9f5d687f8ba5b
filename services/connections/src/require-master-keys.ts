import { type Pool } from 'pg';
import { type CredentialOwner, type Envelope, type WrappedKey } from './envelope-encryption.js';
import { type MasterKeys } from './master-keys.js';

export interface SealedTable {
  kind: CredentialOwner['kind'];
  /** Schema-qualified name of the table. */
  name: string;
}

/**
 * Lists every table with data keys that a master key encrypts. Each table must have the columns id, org_id, wrapped_key and master_key_id, and an
 * index that begins with master_key_id. Add each new table here: otherwise its rows cannot be decrypted after the next rotation. A table into which
 * rows are copied must follow the table from which they are copied, so that a rotation does not miss a row.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  { kind: 'connection', name: 'connections.connections' },
  { kind: 'connection', name: 'connections.revocations' },
  { kind: 'oauth app', name: 'connections.oauth_apps' },
  { kind: 'webhook secret', name: 'connections.webhook_secrets' },
  { kind: 'trigger source', name: 'connections.source_secrets' },
  { kind: 'data key', name: 'connections.data_keys' },
];

/** Number of rows that are checked for each key. A single row could be one that was modified outside of the product, which no key decrypts. */
const SAMPLES = 5;

/**
 * Selects a few rows for each master key that the table uses. Finds each key with two index lookups, independent of the number of rows. The condition
 * ">=" forces the index; with "=", the planner could scan the table.
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
 * Checks at startup that all master keys of stored data are configured, before anything is encrypted with a new key. Throws an Error that names each
 * key that is missing from MASTER_KEYS or has a different value.
 */
export async function requireMasterKeys(
  pool: Pick<Pool, 'query'>,
  masters: MasterKeys,
  sealing: Envelope,
): Promise<void> {
  const problems = new Set<string>();
  for (const table of SEALED_TABLES) {
    for (const [id, samples] of await usedKeys(pool, table)) {
      const problem = masters.byId.has(id)
        ? 'has a different value than the key that encrypted stored credentials'
        : 'is missing';
      const { kind } = table;
      if (!samples.some((row) => sealing.unwraps(row, { ...row, kind }))) problems.add(`key ${id} ${problem}`);
    }
  }
  if (problems.size === 0) return;
  const advice =
    'stored credentials cannot be decrypted. Restore the original key in addition to other keys (docs/operating.md)';
  throw new Error(`MASTER_KEYS: ${[...problems].join(', ')}: ${advice}`);
}

/** Returns the ids of the master keys that the table uses, each with a few rows that it encrypts. */
export async function usedKeys(pool: Pick<Pool, 'query'>, table: SealedTable): Promise<Map<string, Sample[]>> {
  const { rows } = await pool.query<Sample>(samplesForEachKey(table));
  const ids = new Set(rows.map(({ masterKeyId }) => masterKeyId));
  return new Map([...ids].map((id) => [id, rows.filter(({ masterKeyId }) => masterKeyId === id)]));
}
