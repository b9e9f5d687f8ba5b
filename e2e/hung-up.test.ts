// Shapes: none; in full: processes
import { openClient, rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns();
});
afterAll(() => runs?.stop());

const WAITING = `
  SELECT FROM pg_locks WHERE NOT granted AND relation = 'connections.connections'::regclass`;

/** Blocks calls while they select their connection, which happens before the run is claimed, that is, reserved in the database. */
async function holdBeforeClaim(): Promise<{ isReached(): Promise<boolean>; release(): Promise<void> }> {
  const { databaseUrl } = runs.product;
  const client = await openClient(databaseUrl);
  await client.query('BEGIN; LOCK TABLE connections.connections IN ACCESS EXCLUSIVE MODE');
  return {
    isReached: async () => (await rowsOf(databaseUrl, WAITING)).length > 0,
    release: () => client.end(),
  };
}

describe('a caller that disconnects', () => {
  it('before the claim cancels the run', async () => {
    const { isReached, release } = await holdBeforeClaim();
    const hangUp = new AbortController();
    const first = runs.execute('too early', hangUp.signal).catch(() => 'hung up');
    await eventually(async () => expect(await isReached()).toBe(true));
    hangUp.abort();
    expect(await first).toBe('hung up');
    await eventually(async () => expect(runs.product.logs()).toMatch(/"route":"\/api\/v1\/actions\/execute"/));
    await release();

    expect((await runs.execute('later')).status).toBe(200);
    expect(runs.sentTimes('too early')).toBe(0);
    expect(await runs.logged('too early')).toEqual([]);
    expect((await runs.execute('too early')).headers.get('idempotent-replayed')).toBeNull();
    expect(runs.sentTimes('too early')).toBe(1);
  });

  it.each([
    ['with a key', () => runs.execute],
    ['without a key', () => runs.executeWithoutKey],
  ])('after the claim does not stop the run: a run %s completes and is recorded', async (title, how) => {
    const hangUp = new AbortController();
    const release = runs.hold();
    const first = how()(title, hangUp.signal).catch(() => 'hung up');
    await runs.received(title);
    hangUp.abort();
    expect(await first).toBe('hung up');
    release();
    await eventually(async () => expect(await runs.logged(title)).toMatchObject([{ status: 'success' }]));
    expect(runs.sentTimes(title)).toBe(1);
  });

  it('receives the stored response when it repeats the call', async () => {
    const answer = await runs.execute('with a key');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    expect(runs.sentTimes('with a key')).toBe(1);
  });
});
