import { amountsAt } from './amounts.js';
import { type FoundHost, hostsOf, toHost } from './hosts.js';
import { type PolicyCall, type Rules } from './policy.js';
import { type Recipient, recipientsOf, toRecipient } from './recipients.js';
import { storagePathsOf, withoutRoot } from './storage-paths.js';

/** What rules ask of a call, found when the first of them asks. */
export interface CallFacts {
  call: PolicyCall;
  /** Of the numbers at a path; without any, less than every other. */
  largestAt(path: string): number;
  hosts(): readonly FoundHost[];
  recipients(): readonly Recipient[];
  storagePaths(): readonly { form: string; path: string }[];
  /** Of the storage paths, this much: to compare each prefix of each policy with all of them would cost as many times as there are. */
  beginnings(length: number): ReadonlySet<string>;
}

export function factsOf(call: PolicyCall): CallFacts {
  const [largest, cut] = [new Map<string, number>(), new Map<number, ReadonlySet<string>>()];
  const storagePaths = once(() => storagePathsOf(call.input));
  return {
    call,
    largestAt(path) {
      const known =
        largest.get(path) ?? amountsAt(call.input, path).reduce((one, other) => Math.max(one, other), -Infinity);
      largest.set(path, known);
      return known;
    },
    hosts: once(() => hostsOf(call.input)),
    recipients: once(() => recipientsOf(call)),
    storagePaths,
    beginnings(length) {
      const known = cut.get(length) ?? new Set(storagePaths().map(({ form }) => form.slice(0, length)));
      cut.set(length, known);
      return known;
    },
  };
}

/** Why a call is at risk, told without its values; undefined: it is not. */
export type Rule = (facts: CallFacts) => string | undefined;

/** One for each list that says something. */
export function rulesOf(rules: Rules): Rule[] {
  const { actionCategories, amountThresholds, recipientAllowlist, recipientDenylist } = rules;
  const { domainAllowlist, domainDenylist, storagePathPrefixes } = rules;
  const made = [
    given(actionCategories, ofCategories),
    given(amountThresholds, aboveThresholds),
    given(recipientAllowlist, outsideRecipients),
    given(recipientDenylist, insideRecipients),
    given(domainAllowlist, outsideDomains),
    given(domainDenylist, insideDomains),
    given(storagePathPrefixes, belowPrefixes),
  ];
  return made.filter((rule) => rule !== undefined);
}

function given<T>(list: readonly T[] | undefined, toRule: (list: readonly T[]) => Rule): Rule | undefined {
  return list && list.length > 0 ? toRule(list) : undefined;
}

const ofCategories =
  (categories: readonly string[]): Rule =>
  ({ call: { category } }) =>
    category && categories.includes(category) ? `actionCategories: the action is of category ${category}` : undefined;

function aboveThresholds(list: readonly { path: string; gt: number }[]): Rule {
  return ({ largestAt }) => {
    const passed = list.find(({ path, gt }) => largestAt(path) > gt);
    return passed && `amountThresholds: ${passed.path} is above ${passed.gt}`;
  };
}

/** Ids of different case may be different people. */
function outsideRecipients(list: readonly string[]): Rule {
  const allowed = new Set(list.map((one) => toRecipient(one).id));
  return ({ recipients }) => {
    const outside = recipients().find(({ id, domain }) => !allowed.has(id) && !(domain && allowed.has(domain)));
    return outside && `recipientAllowlist: ${outside.path} names somebody outside it`;
  };
}

/** And may be the same. */
function insideRecipients(list: readonly string[]): Rule {
  const denied = new Set(list.map((one) => toRecipient(one).folded));
  return ({ recipients }) => {
    const inside = recipients().find(({ folded, domain }) => denied.has(folded) || (domain && denied.has(domain)));
    return inside && `recipientDenylist: ${inside.path} names somebody on it`;
  };
}

function outsideDomains(list: readonly string[]): Rule {
  const allowed = toDomains(list);
  return ({ hosts }) => {
    const outside = hosts().find(({ domains }) => !domains.some((domain) => allowed.has(domain)));
    return outside && `domainAllowlist: ${outside.path} names a host outside it`;
  };
}

function insideDomains(list: readonly string[]): Rule {
  const denied = toDomains(list);
  return ({ hosts }) => {
    const inside = hosts().find(({ domains }) => domains.some((domain) => denied.has(domain)));
    return inside && `domainDenylist: ${inside.path} names a host on it`;
  };
}

function toDomains(list: readonly string[]): Set<string | undefined> {
  return new Set(list.map(toHost));
}

function belowPrefixes(prefixes: readonly string[]): Rule {
  const wanted = prefixes.map(withoutRoot);
  return ({ beginnings, storagePaths }) => {
    const prefix = wanted.find((one) => beginnings(one.length).has(one));
    if (prefix === undefined) return undefined;
    const below = storagePaths().find(({ form }) => form.startsWith(prefix));
    return `storagePathPrefixes: ${below?.path} begins with one of them`;
  };
}

function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => (found ??= { value: find() }).value;
}
