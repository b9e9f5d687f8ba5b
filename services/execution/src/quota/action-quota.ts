import { ApiError, quotaExceeded } from '@drawbridge/contracts';
import { repeat } from '@drawbridge/events';
import {
  type ActionLeaseServiceDefinition,
  type UnusedActions,
} from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { type Background, type Caller, type Client, detached, type Logger, LostCall } from '@drawbridge/rpc';

/** Another plan holds everywhere within a second. */
const UNLIMITED_MS = 900;
/** What nobody uses goes back soon: another process may be at the limit. */
const IDLE_MS = 5_000;
/** Members takes a process for dead that leased nothing for 10 minutes: its runs must have ended before. */
const KEPT_MS = 60_000;

/** How many actions organizations may still run this month, without a question for each. */
export interface ActionQuota extends Background {
  /**
   * Counts one off for the caller's organization, and answers of which lease; undefined where the plan has no limit. What was leased
   * under an earlier plan than the caller's counts no more. Throws QUOTA_EXCEEDED, and what members throws.
   */
  take(who: Pick<Caller, 'orgId' | 'planVersion'>): Promise<string | undefined>;
  /** What was counted off of a lease for a run that does not happen. Of one that is held no longer it comes back by itself, later. */
  restore(orgId: string, leaseId: string | undefined): void;
}

type Members = Client<ActionLeaseServiceDefinition>;

/** What this process holds of an organization's month. Times are those of `performance.now()`. */
interface Held {
  left: number;
  leaseId?: string;
  /** Of the plan that it was leased under. */
  planVersion: number;
  leasedAt: number;
  usedAt: number;
  unlimitedUntil: number;
  waiting: number;
  asking?: Promise<void>;
}

/** For a caller who knows of this version of the plan. */
interface Question {
  orgId: string;
  planVersion: number;
  held: Held;
}

export function actionQuota(members: Members, log: Logger): ActionQuota {
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
  const turns = repeat({ name: 'giving back unused actions', everyMs: IDLE_MS, log }, () => giveBack(isInUse));

  return {
    async take({ orgId, planVersion = 0 }) {
      const held = organizations.get(orgId) ?? nothingYet();
      organizations.set(orgId, held);
      while (held.planVersion < planVersion || (held.left === 0 && !isUnlimited(held)))
        await untilAsked(members, { orgId, planVersion, held });
      held.usedAt = performance.now();
      if (isUnlimited(held)) return undefined;
      held.left -= 1;
      return held.leaseId;
    },
    restore(orgId, leaseId) {
      const held = organizations.get(orgId);
      // What is asked for meanwhile is set, and not added.
      if (leaseId !== undefined && held?.leaseId === leaseId && !held.asking) held.left += 1;
    },
    start: turns.start,
    async stop(deadline) {
      await turns.stop(deadline);
      await giveBack(() => false).catch(() => undefined); // it comes back by itself, later
    },
  };
}

/** One question at a time, for all who wait: as many as they are. */
async function untilAsked(members: Members, question: Question): Promise<void> {
  const { held } = question;
  held.waiting += 1;
  try {
    held.asking ??= detached(() => ask(members, question)).finally(() => delete held.asking);
    await held.asking;
  } finally {
    held.waiting -= 1;
  }
}

async function ask(members: Members, { orgId, planVersion, held }: Question): Promise<void> {
  const askedAt = performance.now();
  const { leaseId, left } = held;
  held.left = 0;
  held.unlimitedUntil = 0;
  if (leaseId && left > 0) await members.returnActions({ unused: [{ orgId, leaseId, actions: left }] });
  const answer = await members.leaseActions({ leaseId, wanted: held.waiting }).catch(retryable);
  const { limit, used, actions, leaseId: own } = answer;
  held.planVersion = Math.max(planVersion, answer.planVersion); // members of an earlier version tell none
  if (limit === undefined) {
    held.unlimitedUntil = askedAt + UNLIMITED_MS;
    return;
  }
  if (actions === 0) throw quotaExceeded('actions a month', { limit, used });
  held.left = actions;
  held.leaseId = own;
  held.leasedAt = askedAt;
}

/** A lease whose answer was lost returns by itself: nothing was run, and the caller may try again. */
function retryable(error: unknown): never {
  throw error instanceof LostCall ? new ApiError(error.code, error.message, { cause: error }) : error;
}

const nothingYet = (): Held => ({ left: 0, planVersion: 0, leasedAt: 0, usedAt: 0, unlimitedUntil: 0, waiting: 0 });

const isUnlimited = ({ unlimitedUntil }: Held): boolean => performance.now() < unlimitedUntil;

function isInUse({ usedAt, leasedAt }: Held): boolean {
  const now = performance.now();
  return now - usedAt < IDLE_MS && now - leasedAt < KEPT_MS;
}
