import { amountsOf, type LargestAt } from './amounts.js';
import { type Hosts, hostsOf, toHost } from './hosts.js';
import { type PolicyCall, type Rules } from './policy.js';
import { type Recipients, recipientsOf, toRecipient } from './recipients.js';
import { type PlaceBelow, storagePathsOf } from './storage-paths.js';

/** What rules ask of a call, found when the first of them asks: its input is read once, however many policies there are. */
export interface CallFacts {
  call: PolicyCall;
  amounts(): LargestAt;
  hosts(): Hosts;
  recipients(): Recipients;
  storagePaths(): PlaceBelow;
}

export function factsOf(call: PolicyCall): CallFacts {
  return {
    call,
    amounts: once(() => amountsOf(call.input)),
    hosts: once(() => hostsOf(call.input)),
    recipients: once(() => recipientsOf(call)),
    storagePaths: once(() => storagePathsOf(call.input)),
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

const aboveThresholds =
  (thresholds: readonly { path: string; gt: number }[]): Rule =>
  ({ amounts }) => {
    const largestAt = amounts();
    for (const { path, gt } of thresholds) {
      if (largestAt(path) > gt) return `amountThresholds: ${path} is above ${gt}`;
    }
    return undefined;
  };

/** Ids of different case may be different people. */
function outsideRecipients(list: readonly string[]): Rule {
  const allowed = new Set(list.map((one) => toRecipient(one).id));
  return (facts) => {
    const { recipients, areTooMany } = facts.recipients();
    if (areTooMany) return 'recipientAllowlist: there are too many to look at';
    const outside = recipients.find(({ id, domain }) => !allowed.has(id) && !(domain && allowed.has(domain)));
    return outside && `recipientAllowlist: ${outside.path} names somebody outside it`;
  };
}

/** And may be the same. */
function insideRecipients(list: readonly string[]): Rule {
  const denied = new Set(list.map((one) => toRecipient(one).folded));
  return (facts) => {
    const { places, areTooMany } = facts.recipients();
    const found = commonOf(denied, places);
    if (found !== undefined) return `recipientDenylist: ${places.get(found)} names somebody on it`;
    return areTooMany ? 'recipientDenylist: there are too many to look at' : undefined;
  };
}

function outsideDomains(list: readonly string[]): Rule {
  const allowed = new Set<string | undefined>(list.map(toHost));
  return (facts) => {
    const { hosts, places, areTooMany } = facts.hosts();
    if (areTooMany) return 'domainAllowlist: there are too many hosts to look at';
    const outside = hosts.find((domains) => !domains.some((domain) => allowed.has(domain)));
    return outside && `domainAllowlist: ${places.get(outside[0]!)} names a host outside it`;
  };
}

function insideDomains(list: readonly string[]): Rule {
  const denied = new Set(list.map(toHost).filter((host) => host !== undefined));
  return (facts) => {
    const { places, areTooMany } = facts.hosts();
    const found = commonOf(denied, places);
    if (found !== undefined) return `domainDenylist: ${places.get(found)} names a host on it`;
    return areTooMany ? 'domainDenylist: there are too many hosts to look at' : undefined;
  };
}

const belowPrefixes =
  (prefixes: readonly string[]): Rule =>
  ({ storagePaths }) => {
    const placeBelow = storagePaths();
    for (const prefix of prefixes) {
      const place = placeBelow(prefix);
      if (place !== undefined) return `storagePathPrefixes: ${place} begins with one of them`;
    }
    return undefined;
  };

/** One that is in both: the fewer are gone through, for every policy asks. */
function commonOf(denied: ReadonlySet<string>, places: ReadonlyMap<string, string>): string | undefined {
  if (denied.size <= places.size) {
    for (const one of denied) if (places.has(one)) return one;
  } else {
    for (const one of places.keys()) if (denied.has(one)) return one;
  }
  return undefined;
}

function once<T>(find: () => T): () => T {
  let found: { value: T } | undefined;
  return () => (found ??= { value: find() }).value;
}
