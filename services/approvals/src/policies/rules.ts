import { toHost } from '@drawbridge/contracts';
import { amountsOf, type LargestAt, toAmountPath } from './amounts.js';
import { type FoundHost, type Hosts, hostsOf } from './find-hosts.js';
import { type PolicyCall, type Rules } from './policy.js';
import { textsOf } from './read-input.js';
import { type Recipients, recipientsOf, toRecipient } from './recipients.js';
import { type PathPrefixes, type StoragePaths, storagePathsOf, withoutRoot } from './storage-paths.js';

/** Properties of a call that are computed on first use and then cached, so that the input is read once for all policies. */
export interface CallFacts {
  call: PolicyCall;
  amounts(): LargestAt;
  hosts(): Hosts;
  recipients(): Recipients;
  storagePaths(): StoragePaths;
}

/** Returns the properties of a call. `prefixes` contains the storage path prefixes of the rules of all policies. */
export function factsOf(call: PolicyCall, prefixes: PathPrefixes): CallFacts {
  const texts = once(() => textsOf(call.input));
  return {
    call,
    amounts: once(() => amountsOf(call.input)),
    hosts: once(() => hostsOf(texts())),
    recipients: once(() => recipientsOf(call)),
    storagePaths: once(() => storagePathsOf(texts(), prefixes)),
  };
}

/**
 * Returns the reason why a call matches, or undefined if it does not match. The reason contains no values of the input, because approvers and callers
 * read it.
 */
export type Rule = (facts: CallFacts) => Reason | undefined;

export interface Reason {
  text: string;
  /** True if the rule could not be evaluated within its limits. A policy that lets a call run must not apply because of such a reason. */
  isDoubt?: true;
}

const because = (text: string): Reason => ({ text });
const inDoubt = (text: string): Reason => ({ text, isDoubt: true });

/** Returns a rule for each list of the policy that has entries. */
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
    category && categories.includes(category)
      ? because(`actionCategories: the action is of category ${category}`)
      : undefined;

function aboveThresholds(thresholds: readonly { path: string; gt: number }[]): Rule {
  const parsed = thresholds.map(({ path, gt }) => ({ at: toAmountPath(path), gt }));
  return ({ amounts }) => {
    const largestAt = amounts();
    for (const { at, gt } of parsed) {
      if (largestAt(at) > gt) return because(`amountThresholds: ${at.path} is above ${gt}`);
    }
    return undefined;
  };
}

/** Compares ids case-sensitively, because ids that differ in case may be different recipients. */
function outsideRecipients(list: readonly string[]): Rule {
  const allowed = new Set(list.map((one) => toRecipient(one).id));
  return (facts) => {
    const { recipients, areTooMany } = facts.recipients();
    if (areTooMany) return inDoubt('recipientAllowlist: there are too many recipients to evaluate');
    const outside = recipients.find(({ id, domain }) => !allowed.has(id) && !(domain && allowed.has(domain)));
    return outside && because(`recipientAllowlist: ${outside.path} contains a recipient that is not on the list`);
  };
}

/** Compares ids case-insensitively, because ids that differ in case may be the same recipient. */
function insideRecipients(list: readonly string[]): Rule {
  const denied = new Set(list.map((one) => toRecipient(one).folded));
  return (facts) => {
    const { places, areTooMany } = facts.recipients();
    const found = commonOf(denied, places);
    if (found !== undefined) return because(`recipientDenylist: ${places.get(found)} contains a recipient on the list`);
    return areTooMany ? inDoubt('recipientDenylist: there are too many recipients to evaluate') : undefined;
  };
}

function outsideDomains(list: readonly string[]): Rule {
  const allowed = new Set<string | undefined>(list.map(toHost));
  const isOutside = ({ domains }: FoundHost): boolean => !domains.some((domain) => allowed.has(domain));
  return (facts) => {
    const { hosts, areTooMany, unreadable } = facts.hosts();
    if (areTooMany) return inDoubt('domainAllowlist: there are too many hosts to evaluate');
    if (unreadable !== undefined)
      return inDoubt(`domainAllowlist: ${unreadable} contains a host that is too long to parse`);
    const outside = hosts.find(isOutside);
    return outside && because(`domainAllowlist: ${outside.path} contains a host that is not on the list`);
  };
}

function insideDomains(list: readonly string[]): Rule {
  const denied = new Set(list.map(toHost).filter((host) => host !== undefined));
  return (facts) => {
    const { places, areTooMany, unreadable } = facts.hosts();
    const found = commonOf(denied, places);
    if (found !== undefined) return because(`domainDenylist: ${places.get(found)} contains a host on the list`);
    if (unreadable !== undefined)
      return inDoubt(`domainDenylist: ${unreadable} contains a host that is too long to parse`);
    return areTooMany ? inDoubt('domainDenylist: there are too many hosts to evaluate') : undefined;
  };
}

function belowPrefixes(list: readonly string[]): Rule {
  const prefixes = new Set(list.map(withoutRoot));
  return (facts) => {
    const { places, areTooMany } = facts.storagePaths();
    const found = commonOf(prefixes, places);
    if (found !== undefined) return because(`storagePathPrefixes: ${places.get(found)} begins with a listed prefix`);
    return areTooMany ? inDoubt('storagePathPrefixes: there are too many strings to evaluate') : undefined;
  };
}

/**
 * Returns an entry that both collections contain. Iterates over the smaller one, because every policy calls this and most calls contain few hosts and
 * recipients.
 */
function commonOf(listed: ReadonlySet<string>, places: ReadonlyMap<string, string>): string | undefined {
  const [fewer, other] = listed.size < places.size ? [listed, places] : [places, listed];
  for (const one of fewer.keys()) if (other.has(one)) return one;
  return undefined;
}

function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => (found ??= { value: find() }).value;
}
