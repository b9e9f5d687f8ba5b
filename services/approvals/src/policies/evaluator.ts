import { type Background, currentContext } from '@drawbridge/rpc';
import { LARGE_INPUTS, throwRefused, type WorkerPool, workerPool } from '@drawbridge/turns';
import { type Decided, evaluate, evaluateWithoutInput, type Evaluation, type Verdict } from './evaluate.js';
import { type Decision, type Policy, type PolicyCall } from './policy.js';
import { type PreparedPolicies } from './prepare-policies.js';
import { sizeOf } from './read-input.js';

/**
 * Evaluations within these limits take a few milliseconds and run on the main thread. Larger evaluations run in a worker thread, so that they do not
 * block the event loop.
 */
const INLINE = { size: 8_192, sizeTimesPolicies: 500_000, callsTimesPolicies: 5_000 };
const WORKER = new URL('./evaluation-worker.js', import.meta.url);
const REFUSED = {
  work: 'its approval policies',
  late: 'The approval policies could not be evaluated in time. Nothing was executed. Send a smaller input',
};

/** A job for a worker thread. `policies` are sent only if the worker has not cached the policies with this key. */
export type EvaluationJob = { key?: string; policies?: readonly Policy[] } & Work;

/** One call with its input, or calls with unknown input. */
type Work =
  { call: PolicyCall; verdicts: ReadonlyMap<string, Verdict>; calls?: undefined } | { calls: readonly PolicyCall[] };

/** The response of a worker thread: a result for each call of the job, or undefined if the worker has not cached the policies. */
export type EvaluationAnswer = CallAnswer[] | undefined;

export interface CallAnswer {
  decision?: Decision | 'allow';
  reasons?: string[];
  policyId?: string;
  askId?: string;
  isDoubt?: true;
}

/** Evaluates policies. Limits the time for which an input of any size blocks the event loop. */
export interface Evaluator extends Background {
  /**
   * Returns the result of `evaluate`. Throws VALIDATION_ERROR if the input has more values or characters than rules may read, RATE_LIMITED if too
   * many large inputs of the organization wait, and TIMEOUT if the evaluation takes too long. The call must not run if this throws.
   */
  evaluate<P extends Policy>(
    orgId: string,
    policies: PreparedPolicies<P>,
    call: PolicyCall,
    verdicts: ReadonlyMap<string, Verdict>,
  ): Promise<Evaluation<P>>;
  /** Returns the result of `evaluateWithoutInput` for each call. Throws RATE_LIMITED and TIMEOUT like `evaluate`. */
  evaluateWithoutInput<P extends Policy>(
    orgId: string,
    policies: PreparedPolicies<P>,
    calls: readonly PolicyCall[],
  ): Promise<Decided<P>[]>;
}

export function evaluator(
  pool: WorkerPool<EvaluationJob, EvaluationAnswer> = workerPool(WORKER, LARGE_INPUTS),
): Evaluator {
  return {
    async evaluate(orgId, policies, call, verdicts) {
      const { inOrder, readsInput } = policies;
      const size = readsInput ? sizeOf(call.input) : 0;
      if (size <= INLINE.size && size * inOrder.length <= INLINE.sizeTimesPolicies)
        return evaluate(policies, call, verdicts);
      const [answer] = await inWorker(pool, orgId, policies, { call, verdicts });
      const { askId } = answer!;
      const asked = inOrder.find(({ policy }) => policy.id === askId);
      return asked ? { ask: asked.policy } : toDecided(policies)(answer!);
    },
    async evaluateWithoutInput(orgId, policies, calls) {
      if (calls.length * policies.inOrder.length <= INLINE.callsTimesPolicies)
        return calls.map((call) => evaluateWithoutInput(policies, call));
      const answers = await inWorker(pool, orgId, policies, { calls });
      return answers.map(toDecided(policies));
    },
    start: () => undefined,
    stop: () => pool.close(),
  };
}

async function inWorker<P extends Policy>(
  pool: WorkerPool<EvaluationJob, EvaluationAnswer>,
  orgId: string,
  { key, inOrder }: PreparedPolicies<P>,
  work: Work,
): Promise<CallAnswer[]> {
  const signal = currentContext()?.signal;
  const ask = (job: EvaluationJob): Promise<EvaluationAnswer> =>
    pool.run(orgId, job, signal).catch((error: unknown) => throwRefused(error, REFUSED));
  const known = key === undefined ? undefined : await ask({ ...work, key });
  const answers = known ?? (await ask({ ...work, key, policies: inOrder.map(({ policy }) => policy) }));
  if (!answers) throw new Error('A worker did not cache the policies that it received');
  return answers;
}

function toDecided<P extends Policy>({ inOrder }: PreparedPolicies<P>): (answer: CallAnswer) => Decided<P> {
  const byId = new Map(inOrder.map(({ policy }) => [policy.id, policy]));
  return ({ decision, reasons = [], policyId, isDoubt }) => {
    if (policyId === undefined) return { decision: 'allow', reasons };
    return { decision: decision as Decision, policy: byId.get(policyId)!, reasons, isDoubt };
  };
}
