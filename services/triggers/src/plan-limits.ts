import { DEFAULT_CALLBACKS_PER_TRIGGER } from '@drawbridge/contracts';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';

/** Another plan holds within a second. */
const REMEMBER_MS = 900;
/** A process has slots for some triggers that use all of theirs, whatever a plan says. */
const MOST_PER_TRIGGER = 50;

export interface PlanLimits {
  /** Minutes between two polls, at least; null: the plan sets none. */
  findMinimum(orgId: string): Promise<number | null>;
  /** Callbacks of one trigger that may be in flight in one process. */
  findMost(orgId: string): Promise<number>;
}

/** Asks members what the plan of an organization allows: outside of any transaction. */
export function planLimits(network: Network): PlanLimits {
  const members = network.client('members', OrganizationServiceDefinition);
  const find = memoize({ ttlMs: REMEMBER_MS }, async (orgId: string) => (await members.getLimits({ orgId })).limits);
  return {
    findMinimum: async (orgId) => (await find(orgId))?.minimumPollingMinutes ?? null,

    async findMost(orgId) {
      // Callbacks do not wait for members: their attempts ask it whether the workspace is suspended.
      const limits = await find(orgId).catch(() => ({ callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER }));
      return Math.min(limits?.callbacksPerTrigger ?? MOST_PER_TRIGGER, MOST_PER_TRIGGER);
    },
  };
}
