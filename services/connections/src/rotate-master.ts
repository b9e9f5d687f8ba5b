import { NIL_ID } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { envelope, type Envelope, type WrappedKey } from './envelope-encryption.js';
import { type MasterKeys } from './master-keys.js';
import { requireMasterKeys, SEALED_TABLES, type SealedTable, usedKeys } from './require-master-keys.js';

/** Number of rows that one statement locks and changes. */
const BATCH = 500;
const MAX_NAMED = 20;

export interface Rotation {
  rewrapped: number;
  /**
   * Number of rows that another master key still encrypts. Either they cannot be decrypted, or a process with another first key stored them during
   * the rotation.
   */
  remaining: number;
  masterKeyId: string;
}

interface Row extends WrappedKey {
  id: string;
  orgId: string;
}

interface Rewrapped {
  id: string;
  from: Buffer;
  to: Buffer;
}

/**
 * Encrypts every data key with the first master key, one batch per transaction. The rotation can be stopped and repeated at any time, and can run in
 * parallel with other rotations and with processes that have both keys. The encrypted secrets themselves do not change. Calls `tell` with a line for
 * each batch. Throws before any change if a master key of stored data is missing.
 */
export async function rotateMaster(pool: Pool, masters: MasterKeys, tell: (line: string) => void): Promise<Rotation> {
  const { current } = masters;
  const sealing = envelope(masters);
  await requireMasterKeys(pool, masters, sealing);
  let rewrapped = 0;
  let remaining = 0;
  for (const table of SEALED_TABLES) {
    rewrapped += await rotateTable(pool, table, { sealing, current, tell });
    remaining += await countOthers(pool, table, current);
  }
  return { rewrapped, remaining, masterKeyId: current };
}

interface Work {
  sealing: Envelope;
  current: string;
  tell(line: string): void;
}

async function rotateTable(pool: Pool, table: SealedTable, { tell, ...work }: Work): Promise<number> {
  const total = await countOthers(pool, table, work.current);
  let done = 0;
  for await (const { changed, closed } of rewrapTable(pool, table, work)) {
    done += changed;
    tell(`${table.name}: ${done} of ${total} rewrapped`);
    const named = closed.slice(0, MAX_NAMED);
    for (const { id, masterKeyId } of named)
      tell(`${table.name}: ${id} cannot be decrypted, and stays encrypted with ${masterKeyId}`);
  }
  return done;
}

async function countOthers(pool: Pool, { name }: SealedTable, current: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${name} WHERE master_key_id <> $1`,
    [current],
  );
  return rows[0]!.count;
}

interface Batch {
  changed: number;
  /** Rows that cannot be decrypted, because they were changed or moved outside of this product. */
  closed: Row[];
}

/** Encrypts the data keys of a table, in the order of their ids. Rows that are stored during the rotation already use the new key. */
async function* rewrapTable(
  pool: Pool,
  table: SealedTable,
  { sealing, current }: Omit<Work, 'tell'>,
): AsyncGenerator<Batch> {
  const used = [...(await usedKeys(pool, table)).keys()];
  let rows: Row[] = [];
  for (const masterKeyId of used.filter((id) => id !== current)) {
    do {
      rows = await batchAfter(pool, table, masterKeyId, rows.at(-1)?.id ?? NIL_ID);
      const wanted = rows.flatMap((row) => rewrapRow(row, table, sealing));
      const known = new Set(wanted.map(({ id }) => id));
      yield { changed: await write(pool, table, current, wanted), closed: rows.filter(({ id }) => !known.has(id)) };
    } while (rows.length === BATCH);
    rows = [];
  }
}

async function batchAfter(pool: Pool, { name }: SealedTable, masterKeyId: string, after: string): Promise<Row[]> {
  const columns = 'id, org_id AS "orgId", wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"';
  const { rows } = await pool.query<Row>(
    `SELECT ${columns} FROM ${name} WHERE master_key_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
    [masterKeyId, after],
  );
  return rows;
}

function rewrapRow(row: Row, { kind }: SealedTable, sealing: Envelope): Rewrapped[] {
  try {
    return [{ id: row.id, from: row.wrappedKey, to: sealing.rewrap(row, { ...row, kind }).wrappedKey }];
  } catch {
    return [];
  }
}

/**
 * Writes the encrypted keys and returns the number of changed rows. Does not write a row that changed after it was read. First skips rows that
 * another transaction locks, because waiting for them while holding other locks could cause a deadlock. Then writes the skipped rows one at a time.
 */
async function write(pool: Pool, { name }: SealedTable, current: string, wanted: Rewrapped[]): Promise<number> {
  const lists = [wanted.map(({ id }) => id), wanted.map(({ from }) => from), wanted.map(({ to }) => to)];
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE ${name} AS sealed SET wrapped_key = free.new_key, master_key_id = $4
    FROM (
      SELECT held.id, given.new_key FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS given (id, old_key, new_key)
      JOIN ${name} AS held ON held.id = given.id AND held.wrapped_key = given.old_key
      FOR UPDATE OF held SKIP LOCKED
    ) AS free
    WHERE sealed.id = free.id RETURNING sealed.id`,
    [...lists, current],
  );
  const written = new Set(rows.map(({ id }) => id));
  let changed = written.size;
  for (const { id, from, to } of wanted.filter((one) => !written.has(one.id))) {
    const { rowCount } = await pool.query(
      `UPDATE ${name} SET wrapped_key = $3, master_key_id = $4 WHERE id = $1 AND wrapped_key = $2`,
      [id, from, to, current],
    );
    changed += rowCount ?? 0;
  }
  return changed;
}
