import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerPool } from '@drawbridge/turns';
import { evaluate, evaluateWithoutInput } from './evaluate.js';
import { type EvaluationAnswer, type EvaluationJob, evaluator } from './evaluator.js';
import { type Policy, type PolicyCall } from './policy.js';
import { type PreparedPolicies, preparePolicies } from './prepare-policies.js';
import { callOf, policyOf } from './testing/policies.js';

/** The compiled worker, because a worker thread cannot run TypeScript sources. */
const WORKER = pathToFileURL(join(import.meta.dirname, '../../dist/policies/evaluation-worker.js'));
const NONE = new Map();
const MIB = 1024 * 1024;

const RULES = {
  amountThresholds: [{ path: 'x[0]', gt: 1 }],
  recipientDenylist: ['eve@evil.org'],
  domainAllowlist: ['acme.com'],
  domainDenylist: ['evil.org'],
  storagePathPrefixes: ['prod/'],
};
const policies = preparePolicies([policyOf({ rules: RULES })], 'acme 1');
const large = (text: string): PolicyCall => callOf({ input: { text, padding: ' '.repeat(20_000) } });

let pool: ReturnType<typeof workerPool<EvaluationJob, EvaluationAnswer>>;
let evaluating: ReturnType<typeof evaluator>;

const open = (limits: object = {}): void => {
  pool = workerPool(WORKER, { workers: 1, waiting: 20, jobMs: 60_000, ...limits });
  evaluating = evaluator(pool);
};
beforeEach(() => open());
afterEach(() => evaluating.stop(0));

const run = (orgId: string, call: PolicyCall, prepared: PreparedPolicies<Policy> = policies) =>
  evaluating.evaluate(orgId, prepared, call, NONE);

it.each(['see https://evil。org', 'dev/../prod/a', 'nothing'])(
  'decides a large input like a small one: %s',
  async (text) => {
    const expected = evaluate(policies, callOf({ input: { text } }), NONE);
    for (const prepared of [policies, { ...policies, key: undefined }])
      expect(await run('acme', large(text), prepared)).toEqual(expected);
  },
);

it('decides many calls without input like one, without blocking the event loop', async () => {
  const all = Array.from({ length: 500 }, (_, at) => policyOf({ id: `p${at}`, actionNames: [`a${at * 10}`] }));
  const calls = Array.from({ length: 5_000 }, (_, at) => callOf({ actionName: `a${at}` }));
  for (const prepared of [preparePolicies(all, 'acme 3'), preparePolicies(all)]) {
    let turns = 0;
    let isOver = false;
    const turn = (): void => void (isOver || (turns++, setTimeout(turn, 1)));
    const answer = evaluating.evaluateWithoutInput('acme', prepared, calls).finally(() => (isOver = true));
    turn();
    const decided = await answer;
    expect(turns).toBeGreaterThan(10);
    expect(decided).toEqual(calls.map((call) => evaluateWithoutInput(prepared, call)));
    expect(decided.filter(({ policy }) => policy)).toHaveLength(500);
  }
});

it('loads the changed policies of an organization under their new key', async () => {
  expect(await run('acme', large('https://evil.org'))).toMatchObject({ decision: 'require_approval' });
  const changed = preparePolicies([policyOf({ rules: { domainDenylist: ['other.org'] } })], 'acme 2');
  expect(await run('acme', large('https://evil.org'), changed)).toMatchObject({ decision: 'allow' });
});

it('schedules organizations fairly, even if one sends many large inputs', async () => {
  const order: string[] = [];
  const done = (name: string) => () => void order.push(name);
  const many = Array.from({ length: 10 }, () => run('busy', large('x'.repeat(MIB))).then(done('busy')));
  await Promise.all([...many, run('other', large('a')).then(done('other'))]);
  expect(order.indexOf('other')).toBeLessThan(4);
});

it('refuses more than may wait, and an input with more values than rules look at', async () => {
  const call = large('x'.repeat(MIB));
  const ended = await Promise.allSettled(Array.from({ length: 30 }, () => run('busy', call)));
  const refused = ended.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
  expect(refused.length).toBeGreaterThanOrEqual(9);
  for (const error of refused) expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 1 } });
  await expect(run('acme', callOf({ input: { list: Array(300_000).fill(0) } }))).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

it('does not allow a call after an evaluation that takes too long, and evaluates the next one', async () => {
  await evaluating.stop(0);
  open({ jobMs: 1 });
  await expect(run('acme', large('x'.repeat(10 * MIB)))).rejects.toMatchObject({ code: 'TIMEOUT' });
  await evaluating.stop(0);
  open();
  expect(await run('acme', large('a'))).toMatchObject({ decision: 'allow' });
});

describe('the event loop turns while a body of the largest size is evaluated:', () => {
  const of = (part: string): string => part.repeat(Math.ceil((4.5 * MIB) / part.length));
  // `npm test` evaluates one such body, because each takes a second of processor time or more.
  const parts = ['https://é', '../', '\\', 'a@b.c ', ','].slice(0, process.env['FULL'] === '0' ? 1 : Infinity);
  it.each(parts)('%j', async (part) => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => void (isOver || (turns++, setTimeout(turn, 1)));
    const answer = run('acme', callOf({ input: { to: of(part), 'x[0]': of(part) } })).finally(() => (isOver = true));
    turn();
    expect(await answer).toHaveProperty('decision');
    expect(turns).toBeGreaterThan(10);
  });
});
