import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { evaluate, evaluateWithoutInput, type Evaluation } from './evaluate.js';
import { type CallAnswer, type EvaluationAnswer, type EvaluationJob } from './evaluator.js';
import { type Policy } from './policy.js';
import { type PreparedPolicies, preparePolicies } from './prepare-policies.js';

/**
 * Caches the compiled policies of organizations. The size of the cache is counted in list entries of the policies, because they determine its memory.
 */
const prepared = new LRUCache<string, PreparedPolicies<Policy>>({
  maxSize: 200_000,
  sizeCalculation: ({ entries }) => entries + 1,
});

parentPort!.on('message', (job: EvaluationJob) => parentPort!.postMessage(answer(job)));

function answer({ key, policies, ...work }: EvaluationJob): EvaluationAnswer {
  const known = policies ? preparePolicies(policies) : prepared.get(key!);
  if (!known) return undefined;
  if (key !== undefined) prepared.set(key, known);
  const evaluations = work.calls
    ? work.calls.map((call) => evaluateWithoutInput(known, call))
    : [evaluate(known, work.call, work.verdicts)];
  return evaluations.map(toAnswer);
}

function toAnswer(evaluation: Evaluation<Policy>): CallAnswer {
  const { ask, policy, ...rest } = { ask: undefined, policy: undefined, ...evaluation };
  return { ...rest, askId: ask?.id, policyId: policy?.id };
}
