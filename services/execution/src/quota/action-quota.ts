import { ApiError, quotaExceeded } from '@drawbridge/contracts';
import { repeat } from '@drawbridge/events';
import {
  type ActionLeaseServiceDefinition,
  type UnusedActions,
} from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { type Background, type Caller, type Client, detached, type Logger, LostCall } from '@drawbridge/rpc';

/** Time for which the answer "unlimited" is cached, in milliseconds. A change of the plan thus takes effect in every process within a second. */
const UNLIMITED_MS = 900;
/** Time without a run after which leased actions are returned. It is short, because another process may have reached the limit in the meantime. */
const IDLE_MS = 5_000;
/**
 * Maximum age of a lease, in milliseconds. After 10 minutes without a new lease, the members service assumes that the process has exited. All runs
 * that were counted against a lease must end before that.
 */
const KEPT_MS = 60_000;

/**
 * Counts actions, or sandbox runs, against the monthly quota of an organization. Leases them from the members service in blocks, so that not every
 * run needs an RPC.
 */
export interface ActionQuota extends Background {
  /**
   * Counts one action of the caller's organization and returns the id of its lease, or undefined if the plan has no limit. Requests a new lease if
   * the plan has changed, so that the caller has a newer plan version than the lease. Throws QUOTA_EXCEEDED and the errors of the members service.
   */
  take(who: Pick<Caller, 'orgId' | 'planVersion'>): Promise<string | undefined>;
  /**
   * Uncounts a run that never started. If this process no longer uses the lease, does nothing, because the members service later restores the unused
   * actions of the lease.
   */
  restore(orgId: string, leaseId: string | undefined): void;
}

type Members = Client<ActionLeaseServiceDefinition>;

/** The leased actions of an organization in this process. Times use the clock of `performance.now()`. */
interface Held {
  left: number;
  /** Number of actions that were restored while a lease request was active, because its response overwrites `left`. */
  restored: number;
  leaseId?: string;
  /** The plan version of the lease. */
  planVersion: number;
  leasedAt: number;
  usedAt: number;
  unlimitedUntil: number;
  waiting: number;
  asking?: Promise<void>;
}

/** A request for more actions, with the plan version that the caller received. */
interface Question {
  orgId: string;
  planVersion: number;
  held: Held;
}

export const actionQuota = (members: Members, log: Logger): ActionQuota =>
  quotaOf({ members, log, sandboxRuns: false, noun: 'actions a month' });

/** Counts runs of code in the sandbox. Each such run also counts as an action. */
export const sandboxQuota = (members: Members, log: Logger): ActionQuota =>
  quotaOf({ members, log, sandboxRuns: true, noun: 'sandbox runs a month' });

interface Quota {
  members: Members;
  log: Logger;
  sandboxRuns: boolean;
  /** The noun for error messages. */
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
  const turns = repeat({ name: `returning unused ${quota.noun}`, everyMs: IDLE_MS, log }, () => giveBack(isInUse));

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
      await giveBack(() => false).catch(() => undefined); // Errors are ignored, because a lease that is not returned expires.
    },
  };
}

/**
 * Waits until a request for a new lease has ended. Sends the request, unless one of the organization is active. It requests as many actions as
 * callers are waiting when it is sent.
 */
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

/** Adds the actions that were restored during the lease request, unless they belong to the previous lease. */
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
  held.planVersion = Math.max(planVersion, answer.planVersion); // Earlier versions of the members service send no planVersion.
  if (limit === undefined) {
    held.unlimitedUntil = askedAt + UNLIMITED_MS;
    return;
  }
  if (actions === 0) throw quotaExceeded(noun, { limit, used });
  held.left = actions;
  held.leaseId = own;
  held.leasedAt = askedAt;
}

/** Converts a lost response to an error that callers can retry. Nothing was executed, and the lost lease expires. */
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
