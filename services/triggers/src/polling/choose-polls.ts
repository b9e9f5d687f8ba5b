/**
 * Maximum number of concurrent polls in one process, of one organization, and of one organization at one origin. When half of `inAll` is used, only
 * organizations without a running poll get a slot. When half of `ofOrganization` is used, only origins without a running poll get a slot.
 */
export const MOST = { inAll: 100, ofOrganization: 20, ofOrigin: 4 };

/** The organization and the origin that a running poll counts for. */
export interface PollSlot {
  orgId: string;
  /** The origin of the provider that is called. */
  origin: string;
}

export interface DuePoll extends PollSlot {
  id: string;
  dueAt: Date;
}

/**
 * Selects the due polls to start. A slot goes to the organization with the fewest running polls, then to its origin with the fewest running polls,
 * and then to the poll that has been due longest. A slow provider therefore delays only the polls of the same organization at that provider.
 */
export function choosePolls(due: readonly DuePoll[], running: Iterable<PollSlot>, most = MOST): DuePoll[] {
  const slots = [...running];
  const ofOrganization = countBy(slots, organizationOf);
  const ofOrigin = countBy(slots, originOf);
  const oldest = [...due].sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime());

  const inOrigin = ranked(oldest, originOf, ofOrigin).filter(({ rank }) => rank < most.ofOrigin);
  const inOrganization = ranked(
    inOrigin.sort(byRank).map(({ poll, rank }) => ({ ...poll, isFirst: rank === 0 })),
    organizationOf,
    ofOrganization,
  ).filter(({ poll, rank }) => rank < (poll.isFirst ? most.ofOrganization : most.ofOrganization / 2));

  const chosen: DuePoll[] = [];
  for (const { poll, rank } of inOrganization.sort(byRank)) {
    const limit = rank === 0 ? most.inAll : most.inAll / 2;
    if (slots.length + chosen.length >= limit) continue;
    const { isFirst: _, ...one } = poll;
    chosen.push(one);
  }
  return chosen;
}

/** Returns the origins that use all their slots, each with the organization, as `<orgId> <origin>`. */
export function fullOrigins(running: Iterable<PollSlot>, most = MOST): string[] {
  return [...countBy([...running], originOf)].filter(([, many]) => many >= most.ofOrigin).map(([origin]) => origin);
}

interface Ranked<Poll> {
  poll: Poll;
  /** Number of slots that the group (organization or origin) uses before this poll. */
  rank: number;
}

/** Numbers the polls of each group in their order, starting with the number of slots that the group already uses. */
function ranked<Poll>(
  polls: readonly Poll[],
  groupOf: (poll: Poll) => string,
  taken: ReadonlyMap<string, number>,
): Ranked<Poll>[] {
  const next = new Map(taken);
  return polls.map((poll) => {
    const group = groupOf(poll);
    const rank = next.get(group) ?? 0;
    next.set(group, rank + 1);
    return { poll, rank };
  });
}

function countBy(slots: readonly PollSlot[], groupOf: (slot: PollSlot) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const slot of slots) counts.set(groupOf(slot), (counts.get(groupOf(slot)) ?? 0) + 1);
  return counts;
}

const organizationOf = ({ orgId }: PollSlot): string => orgId;
const originOf = ({ orgId, origin }: PollSlot): string => `${orgId} ${origin}`;
/** Sorts by rank. Sorting is stable, so polls of equal rank stay in the order of their age. */
const byRank = (one: Ranked<unknown>, other: Ranked<unknown>): number => one.rank - other.rank;
