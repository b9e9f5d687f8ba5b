import { ApiError, quotaExceeded } from '@drawbridge/contracts';
import { repeat } from '@drawbridge/events';
import {
  type ActionLeaseServiceDefinition,
  type UnusedActions,
} from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { type Background, type Caller, type Client, detached, type Logger, LostCall } from '@drawbridge/rpc';

/** A change of the plan takes effect in every process within a second. */
const UNLIMITED_MS = 900;
/** Unused actions are returned soon, because another process may have reached the limit. */
const IDLE_MS = 5_000;
/** The members service assumes that a process without a new lease for 10 minutes has exited. The runs of a lease must have ended before that. */
const KEPT_MS = 60_000;

/** Counts actions, or sandbox runs, against the monthly quota. Leases them in blocks, so that not every run needs an RPC. */
export interface ActionQuota extends Background {
  /**
   * Counts one action of the caller's organization and returns the id of its lease, or undefined if the plan has no limit. If the caller has a newer
   * plan version than the lease, requests a new lease. Throws QUOTA_EXCEEDED and the errors of the members service.
   */
  take(who: Pick<Caller, 'orgId' | 'planVersion'>): Promise<string | undefined>;
  /** Restores the action of a run that never started. If this process no longer uses the lease, the members service restores the action later. */
  restore(orgId: string, leaseId: string | undefined): void;
}

type Members = Client<ActionLeaseServiceDefinition>;

/** The leased actions of an organization in this process. Times use the clock of `performance.now()`. */
interface Held {
  left: number;
  /** Number of actions that were restored during a lease request, which overwrites `left`. */
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

/** Counts the run of an action that executes code. The action is also counted against the quota of actions. */
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
      await giveBack(() => false).catch(() => undefined); // A lease that is not returned expires.
    },
  };
}

/** Sends one lease request at a time, for as many actions as there are waiting callers. */
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

/** Adds the actions that were restored during the request, unless they belong to an earlier lease. */
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
  held.planVersion = Math.max(planVersion, answer.planVersion); // Earlier versions of the members service do not send planVersion.
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
