import { type Pool } from 'pg';
import { type Source } from '../gen/prisma/client.js';

const BATCH = 500;

/** Dependent rows are deleted first: once the source is gone, nothing else finds them. */
const REST = ['deliveries', 'events', 'inbound'].map((table) => ({
  name: `remove-source-${table}`,
  text: `DELETE FROM triggers.${table} WHERE id IN (
    SELECT id FROM triggers.${table} WHERE org_id = $1 AND source_id = $2 LIMIT ${BATCH})`,
}));
const SOURCE = {
  name: 'remove-source',
  text: "DELETE FROM triggers.sources WHERE org_id = $1 AND id = $2 AND status = 'disabling'",
};

/** Deletes a disabled source and all its rows, in batches. After an interruption, a repeated call continues. */
export async function removeSource(pool: Pool, { orgId, id }: Pick<Source, 'orgId' | 'id'>): Promise<void> {
  const values = [orgId, id];
  await removeRest(pool, values);
  await pool.query({ ...SOURCE, values });
  // A transaction that recorded events locked the source until it committed. This deletes what it wrote.
  await removeRest(pool, values);
}

async function removeRest(pool: Pool, values: string[]): Promise<void> {
  for (const statement of REST) {
    while (((await pool.query({ ...statement, values })).rowCount ?? 0) === BATCH);
  }
}
