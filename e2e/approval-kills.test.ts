// Shapes: processes
import { type Answer } from './support/api.js';
import { approvalOf, decide, newPolicy, waiting } from './support/approvals.js';
import { type Edge, killAt, lockRequest, USED } from './support/approval-edges.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { portalPerson } from './support/portal-person.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

/** The lease of a dead run expires after 15 s, and the sweep runs every 15 s. */
const SETTLED_MS = 60_000;
/** `npm test` kills a run at one step, because a killed run is settled only after its lease. */
const IS_FULL = process.env['FULL'] !== '0';

let runs: HeldRuns;
let workspaceId: string;

beforeAll(async () => {
  runs = await heldRuns({ withProxy: true });
  ({ workspaceId } = runs.bodyOf('') as { workspaceId: string });
  await newPolicy(runs.api, { workspaceId });
});
beforeEach(() => runs.provider.reset());
afterAll(() => runs?.stop());

const asked = (title: string): Promise<any> => waiting(runs.api, runs.bodyOf(title, title));
const approve = async (title: string): Promise<string> => {
  const { id } = await asked(title);
  expect((await decide(runs.api, id, 'approve')).status).toBe(200);
  return id;
};
/** Repeats the call while the response is 503. */
const insist = (title: string): Promise<Answer> =>
  eventually(async () => {
    const answer = await runs.execute(title);
    if (answer.status === 503) throw new Error(JSON.stringify(answer.body));
    return answer;
  }, SETTLED_MS);

it('refuses calls while policies cannot be evaluated, with an error that says so', async () => {
  await approve('refused');
  const { web, home } = await portalPerson({ api: runs.api, baseUrl: runs.product.baseUrl, workspaceId });
  await runs.product.kill('approvals');
  const refused = await eventually(async () => {
    const answer = await runs.execute('refused');
    expectError(answer, 503, 'UNAVAILABLE');
    return answer;
  });
  expect(refused.body.error).toMatch(/policies could not be evaluated\. Nothing was executed/);
  expect(runs.sentTimes('refused')).toBe(0);
  const shown = await web.get(home);
  expect(shown.status).toBe(200);
  for (const said of ['Connected', 'cannot be shown at the moment']) expect(shown.text).toContain(said);
  await runs.restart(['approvals']);
  expect((await insist('refused')).status).toBe(200);
  expect(runs.sentTimes('refused')).toBe(1);
});

it('keeps an approval usable after the run that requested it has timed out: the next run uses it, once', async () => {
  const id = await approve('late');
  const unlock = await lockRequest(runs.product.databaseUrl, id);
  const before = runs.database.count(USED);
  const refused = await runs.execute('late');
  expect(refused.body).toMatchObject({ code: 'TIMEOUT', error: expect.stringContaining('Nothing was executed') });
  expect(runs.database.count(USED) - before).toBeGreaterThan(1);
  await unlock();
  await eventually(async () => expect((await approvalOf(runs.api, id)).status).toBe('consumed'));
  const answers = await Promise.all([1, 2, 3].map(() => runs.execute('late')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(runs.sentTimes('late')).toBe(1);
  const [run, ...more] = await runs.logged('late');
  expect([run.approvalId, more]).toEqual([id, []]);
});

describe('a process that is killed', () => {
  it.each(['once a request is stored', 'once a decision is stored'])(
    '%s loses no approval: it is decided, and runs once',
    async (edge) => {
      const { id } = await asked(edge);
      if (edge.includes('decision')) await decide(runs.api, id, 'approve');
      await Promise.all(['approvals', ...runs.executors].map((name) => runs.product.kill(name)));
      await runs.restart(['approvals', ...runs.executors]);
      if (edge.includes('request')) {
        expect((await approvalOf(runs.api, id)).status).toBe('pending');
        expect((await insist(edge)).body.approval.id).toBe(id);
        expect((await decide(runs.api, id, 'approve')).status).toBe(200);
      }
      expect((await insist(edge)).status).toBe(200);
      expect((await insist(edge)).headers.get('idempotent-replayed')).toBe('true');
      expect(runs.sentTimes(edge)).toBe(1);
      expect((await approvalOf(runs.api, id)).status).toBe('consumed');
    },
  );

  it('that lost its response after its approval was used runs once when it is repeated', async () => {
    const id = await approve('used');
    const gone = runs.database.cutAt(USED, 'after');
    const first = runs.execute('used').catch(() => undefined);
    await gone;
    await runs.product.kill('approvals');
    runs.database.restore();
    await runs.restart(['approvals']);
    await first;
    const answer = await insist('used');
    expect([answer.status, runs.sentTimes('used')]).toEqual([200, 1]);
    expect((await approvalOf(runs.api, id)).status).toBe('consumed');
  });

  it('that executes leaves an unknown outcome at any step of the run, and sends nothing again', async () => {
    const every: [Edge, status: string, sent: number][] = [
      ['sent', 'consumed', 1],
      ['claimed', 'approved', 0],
      ['used', 'consumed', 0],
    ];
    const edges = IS_FULL ? every : every.slice(0, 1);
    const ids: string[] = [];
    for (const [edge] of edges) {
      ids.push(await approve(`killed once ${edge}`));
      await killAt(runs, edge, `killed once ${edge}`);
    }
    for (const [index, [edge, status, sent]] of edges.entries()) {
      const answer = await insist(`killed once ${edge}`);
      expectError(answer, 400, 'ACTION_FAILED');
      expect(answer.body.details.reason).toBe('outcome_unknown');
      expect([edge, runs.sentTimes(`killed once ${edge}`)]).toEqual([edge, sent]);
      expect(await approvalOf(runs.api, ids[index]!)).toMatchObject({ status });
    }
  });
});
