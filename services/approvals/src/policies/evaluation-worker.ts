import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { evaluate } from './evaluate.js';
import { type EvaluationAnswer, type EvaluationJob } from './evaluator.js';
import { type Policy } from './policy.js';
import { type PreparedPolicies, preparePolicies } from './prepare-policies.js';

/** Caches the prepared policies of organizations. The size counts the entries of their lists. */
const prepared = new LRUCache<string, PreparedPolicies<Policy>>({
  maxSize: 200_000,
  sizeCalculation: ({ entries }) => entries + 1,
});

parentPort!.on('message', (job: EvaluationJob) => parentPort!.postMessage(answer(job)));

function answer({ key, policies, call, verdicts }: EvaluationJob): EvaluationAnswer {
  const known = policies ? preparePolicies(policies) : prepared.get(key!);
  if (!known) return { isUnknown: true };
  if (key !== undefined) prepared.set(key, known);
  const { ask, policy, ...evaluation } = { ask: undefined, policy: undefined, ...evaluate(known, call, verdicts) };
  return { ...evaluation, askId: ask?.id, policyId: policy?.id };
}
