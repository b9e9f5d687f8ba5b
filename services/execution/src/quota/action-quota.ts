import { ApiError, quotaExceeded } from '@drawbridge/contracts';
import { repeat } from '@drawbridge/events';
import {
  type ActionLeaseServiceDefinition,
  type UnusedActions,
} from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { type Background, type Caller, type Client, detached, type Logger, LostCall } from '@drawbridge/rpc';

/** A change of plan takes effect everywhere within a second. */
const UNLIMITED_MS = 900;
/** Unused actions return soon: another process may be at the limit. */
const IDLE_MS = 5_000;
/** Members assumes that a process without a new lease for 10 minutes is dead. Its runs must have ended before that. */
const KEPT_MS = 60_000;

/** Counts actions, or sandbox runs, against the month's quota. Leases blocks of them, so that not every run needs an RPC. */
export interface ActionQuota extends Background {
  /**
   * Counts one action of the caller's organization and returns its lease; undefined if the plan has no limit. A lease of an earlier
   * plan version than the caller's is no longer used. Throws QUOTA_EXCEEDED and the errors of members.
   */
  take(who: Pick<Caller, 'orgId' | 'planVersion'>): Promise<string | undefined>;
  /** Restores the action of a run that never started. If the lease is no longer held, members restores the action later. */
  restore(orgId: string, leaseId: string | undefined): void;
}

type Members = Client<ActionLeaseServiceDefinition>;

/** The leased actions of an organization in this process. Times are those of `performance.now()`. */
interface Held {
  left: number;
  /** Restored during a lease request, which overwrites `left`. */
  restored: number;
  leaseId?: string;
  /** The version of the plan that the lease belongs to. */
  planVersion: number;
  leasedAt: number;
  usedAt: number;
  unlimitedUntil: number;
  waiting: number;
  asking?: Promise<void>;
}

/** A caller's request for more actions, with the plan version that the caller knows. */
interface Question {
  orgId: string;
  planVersion: number;
  held: Held;
}

export const actionQuota = (members: Members, log: Logger): ActionQuota =>
  quotaOf({ members, log, sandboxRuns: false, noun: 'actions a month' });

/** An action that runs code counts against both quotas. */
export const sandboxQuota = (members: Members, log: Logger): ActionQuota =>
  quotaOf({ members, log, sandboxRuns: true, noun: 'sandbox runs a month' });

interface Quota {
  members: Members;
  log: Logger;
  sandboxRuns: boolean;
  /** As errors call it. */
  noun: string;
}

function quotaOf(quota: Quota): ActionQuota {
  const { members, log } = quota;
  const organizations = new Map<string, Held>();

  const giveBack = async (mayKeep: (held: Held) => boolean): Promise<void> => {
    const unused: UnusedActions[] = [];
    for (const [orgId, held] of organizations) {
      if (held.waiting > 0 || mayKeep(held)) continue;
      organizations.delete(orgId);
      if (held.leaseId && held.left > 0) unused.push({ orgId, leaseId: held.leaseId, actions: held.left });
    }
    if (unused.length > 0) await members.returnActions({ unused });
  };
  const turns = repeat({ name: `giving back unused ${quota.noun}`, everyMs: IDLE_MS, log }, () => giveBack(isInUse));

  return {
    async take({ orgId, planVersion = 0 }) {
      const held = organizations.get(orgId) ?? nothingYet();
      organizations.set(orgId, held);
      while (held.planVersion < planVersion || (held.left === 0 && !isUnlimited(held)))
        await untilAsked(quota, { orgId, planVersion, held });
      held.usedAt = performance.now();
      if (isUnlimited(held)) return undefined;
      held.left -= 1;
      return held.leaseId;
    },
    restore(orgId, leaseId) {
      const held = organizations.get(orgId);
      if (leaseId === undefined || held?.leaseId !== leaseId) return;
      if (held.asking) held.restored += 1;
      else held.left += 1;
    },
    start: turns.start,
    async stop(deadline) {
      await turns.stop(deadline);
      await giveBack(() => false).catch(() => undefined); // A lease that is not returned expires by itself.
    },
  };
}

/** Sends one lease request at a time, for as many actions as there are waiters. */
async function untilAsked(quota: Quota, question: Question): Promise<void> {
  const { held } = question;
  const { leaseId } = held;
  held.waiting += 1;
  try {
    held.asking ??= detached(() => ask(quota, question)).finally(() => endAsking(held, leaseId));
    await held.asking;
  } finally {
    held.waiting -= 1;
  }
}

/** Adds what was restored meanwhile, unless it belongs to an earlier lease. */
function endAsking(held: Held, leaseId: string | undefined): void {
  delete held.asking;
  if (held.leaseId === leaseId) held.left += held.restored;
  held.restored = 0;
}

async function ask({ members, sandboxRuns, noun }: Quota, { orgId, planVersion, held }: Question): Promise<void> {
  const askedAt = performance.now();
  const { leaseId, left } = held;
  held.left = 0;
  held.unlimitedUntil = 0;
  if (leaseId && left > 0) await members.returnActions({ unused: [{ orgId, leaseId, actions: left }] });
  const answer = await members.leaseActions({ leaseId, wanted: held.waiting, sandboxRuns }).catch(retryable);
  const { limit, used, actions, leaseId: own } = answer;
  held.planVersion = Math.max(planVersion, answer.planVersion); // Earlier versions of members send no planVersion.
  if (limit === undefined) {
    held.unlimitedUntil = askedAt + UNLIMITED_MS;
    return;
  }
  if (actions === 0) throw quotaExceeded(noun, { limit, used });
  held.left = actions;
  held.leaseId = own;
  held.leasedAt = askedAt;
}

/** Turns a lost answer into an error that callers can retry: nothing was run, and the lost lease expires by itself. */
function retryable(error: unknown): never {
  throw error instanceof LostCall ? new ApiError(error.code, error.message, { cause: error }) : error;
}

const nothingYet = (): Held => ({
  ...{ left: 0, restored: 0, planVersion: 0 },
  ...{ leasedAt: 0, usedAt: 0, unlimitedUntil: 0, waiting: 0 },
});

const isUnlimited = ({ unlimitedUntil }: Held): boolean => performance.now() < unlimitedUntil;

function isInUse({ usedAt, leasedAt }: Held): boolean {
  const now = performance.now();
  return now - usedAt < IDLE_MS && now - leasedAt < KEPT_MS;
}
