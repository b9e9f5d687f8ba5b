import { type Pool } from 'pg';
import { type Source } from '../gen/prisma/client.js';

const BATCH = 500;

/** What hangs on it first: who finds no source finds nothing else of it. */
const REST = ['deliveries', 'events', 'inbound'].map((table) => ({
  name: `remove-source-${table}`,
  text: `DELETE FROM triggers.${table} WHERE id IN (
    SELECT id FROM triggers.${table} WHERE org_id = $1 AND source_id = $2 LIMIT ${BATCH})`,
}));
const SOURCE = {
  name: 'remove-source',
  text: "DELETE FROM triggers.sources WHERE org_id = $1 AND id = $2 AND status = 'disabling'",
};

/** Deletes a source that is disabled with all that was told of it, bit by bit; done again, it goes on. */
export async function removeSource(pool: Pool, { orgId, id }: Pick<Source, 'orgId' | 'id'>): Promise<void> {
  const values = [orgId, id];
  await removeRest(pool, values);
  await pool.query({ ...SOURCE, values });
  // What was being told in that moment held the source until it was written.
  await removeRest(pool, values);
}

async function removeRest(pool: Pool, values: string[]): Promise<void> {
  for (const statement of REST) {
    while (((await pool.query({ ...statement, values })).rowCount ?? 0) === BATCH);
  }
}
