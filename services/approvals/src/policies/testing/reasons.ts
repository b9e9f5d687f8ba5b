import { type Rules } from '../policy.js';
import { factsOf, rulesOf } from '../rules.js';
import { toPathPrefixes, withoutRoot } from '../storage-paths.js';
import { callOf } from './policies.js';

/** Returns the reasons of all rules that match an input. */
export function reasons(rules: Rules, input: object, recipients = ['to', 'cc']): string[] {
  const prefixes = toPathPrefixes((rules.storagePathPrefixes ?? []).map(withoutRoot));
  const facts = factsOf(callOf({ input: input as never, recipients }), prefixes);
  return rulesOf(rules).flatMap((rule) => rule(facts)?.text ?? []);
}

export function isTrue(rules: Rules, input: object): boolean {
  return reasons(rules, input).length > 0;
}
