// Shapes: none; in full: local
import { apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

const WAITERS = 60;
const LOOK = /FROM execution\.claims WHERE org_id = \$1 AND key = \$2/;
/** The number of polls. A process polls a key 20 times a second for all callers that wait for it. */
const LOOKS = 40;

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns({ withProxy: true });
});
afterAll(() => runs?.stop());

it('many waiters for a key cause as many database queries as one', async () => {
  const release = runs.hold();
  const body = runs.bodyOf('awaited', 'awaited');
  const gateways = runs.product.baseUrls.map((baseUrl) => apiOf(baseUrl, runs.product.key));
  const answers = Array.from({ length: WAITERS }, (_, index) =>
    gateways[index % gateways.length]!.post('/api/v1/actions/execute', body),
  );
  await runs.received('awaited');
  const looks = (): number => runs.database.count(LOOK);
  const reach = (count: number): Promise<void> => eventually(async () => expect(looks()).toBeGreaterThanOrEqual(count));
  await reach(WAITERS);

  // The test requires only a third of the expected duration, because each late caller polls once by itself. If all 60 callers polled separately, the
  // duration would be far shorter.
  const fewest = (LOOKS / 20 / runs.executors.length) * 1_000;
  let longest = 0;
  for (let times = 0; times < 5 && longest <= fewest / 3; times++) {
    const [from, startedAt] = [looks(), performance.now()];
    await reach(from + LOOKS);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  expect(longest).toBeGreaterThan(fewest / 3);
  release();
  const refused = (await Promise.all(answers)).filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => ({ status, body }))).toEqual([]);
  expect(runs.sentTimes('awaited')).toBe(1);
});
