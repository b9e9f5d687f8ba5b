// Shapes: processes
import { type Api, apiOf } from './support/api.js';
import { approvalOf, decide, eventsOf, newPolicy, waiting } from './support/approvals.js';
import { expectError } from './support/expect.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

/** The number of races for a decision. `npm test` runs fewer of them. */
const ROUNDS = process.env['FULL'] === '0' ? 2 : 20;

let runs: HeldRuns;
let doors: Api[];
let workspaceId: string;

beforeAll(async () => {
  runs = await heldRuns();
  doors = runs.product.baseUrls.map((baseUrl) => apiOf(baseUrl, runs.product.key));
  ({ workspaceId } = runs.bodyOf('') as { workspaceId: string });
});
beforeEach(() => runs.provider.reset());
afterAll(() => runs?.stop());

const at = (index: number): Api => doors[index % doors.length]!;
const asked = (title: string): Promise<any> => waiting(runs.api, runs.bodyOf(title, title));
const approve = async (title: string): Promise<string> => {
  const { id } = await asked(title);
  expect((await decide(runs.api, id, 'approve')).status).toBe(200);
  return id;
};

it('applies the first policy of an organization, and each change, at every process from its answer on', async () => {
  const expectAll = async (status: number): Promise<void> => {
    const calls = Array.from({ length: 12 }, (_, n) => at(n).post('/api/v1/actions/execute', runs.bodyOf('first')));
    expect(new Set((await Promise.all(calls)).map((answer) => answer.status))).toEqual(new Set([status]));
  };
  const policy = async (): Promise<string> => (await newPolicy(runs.api, { workspaceId })).id;
  await expectAll(200);
  const path = `/api/v1/approval-policies/${await policy()}`;
  await expectAll(202);
  await runs.api.patch(path, { decision: 'block' }).then(() => expectAll(403));
  await runs.api.delete(path);
  await expectAll(200);
  await policy();
});

it(`accepts one of 50 racing decisions, ${ROUNDS} times, and returns its outcome to the others`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await asked(`decided-${round}`);
    const ways = ['approve', 'reject', 'cancel'];
    const racing = Array.from({ length: 50 }, (_, index) => decide(at(index), id, ways[index % 3]!));
    const answers = await Promise.all(racing);
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    const { status } = won!.body.approval;
    for (const answer of answers.filter((one) => one !== won)) {
      expectError(answer, 409, 'DUPLICATE');
      expect(answer.body.details.approval).toMatchObject({ id, status });
    }
    expect(await eventsOf(runs.product.databaseUrl, id)).toEqual(['approval.requested', `approval.${status}`]);
  }
});

it('opens one request for 100 racing calls with one key', async () => {
  const body = runs.bodyOf('opened', 'opened');
  const ids = await Promise.all(Array.from({ length: 100 }, async (_, index) => (await waiting(at(index), body)).id));
  expect(new Set(ids).size).toBe(1);
});

it('sends one of 100 racing retries of an approved call to the provider, and all receive its response', async () => {
  const id = await approve('retried');
  runs.provider.on('*', { status: 201, body: { number: 1 }, delay: 300 });
  const body = runs.bodyOf('retried', 'retried');
  const retries = Array.from({ length: 100 }, (_, index) => at(index).post('/api/v1/actions/execute', body));
  const answers = await Promise.all(retries);
  expect(runs.sentTimes('retried')).toBe(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect((await approvalOf(runs.api, id)).status).toBe('consumed');
});
