import { database, keysOf, open, put, query } from '../testing/spaces.js';

/** Terminates the database connection that waits for a lock at the given statement. */
async function cutAt(statement: string): Promise<void> {
  const cut = `
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1`;
  while ((await query(cut, [statement])).rowCount === 0);
}

/** Runs the work while another database connection holds this lock. */
async function whileHeld(lock: string, work: () => Promise<void>): Promise<void> {
  const other = await database.pool.connect();
  try {
    await other.query(`BEGIN; ${lock}`);
    await work();
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
}

it('reports that nothing was done if the database disconnects before the commit', async () => {
  const state = open();
  await put(state, 'a', 1);
  await whileHeld('SELECT FROM execution.state_spaces FOR UPDATE', async () => {
    for (const change of [() => put(state, 'b', 1), () => state.clear()]) {
      const refused = expect(change()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await cutAt('state_spaces');
      await refused;
    }
  });
  await whileHeld('LOCK TABLE execution.state_entries', async () => {
    const refused = expect(state.get('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await cutAt('state_entries');
    await refused;
  });
  expect(await keysOf(state)).toEqual(['a']);
});

it('reports an unknown outcome if the database disconnects during the commit', async () => {
  await query(
    `CREATE FUNCTION execution.wait() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$`,
    [],
  );
  await query(
    `CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON execution.state_entries
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION execution.wait()`,
    [],
  );
  await whileHeld('SELECT pg_advisory_xact_lock(1)', async () => {
    const refused = expect(put(open(), 'a', 1)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await cutAt('COMMIT');
    await refused;
  });
});
