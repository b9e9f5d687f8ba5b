import { DEFAULT_CALLBACKS_PER_TRIGGER } from '@drawbridge/contracts';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';

/** A changed plan takes effect within a second. */
const REMEMBER_MS = 900;
/** Caps the limit of the plan, so that one process has slots for several triggers at their limit. */
const MOST_PER_TRIGGER = 50;

export interface PlanLimits {
  /** The plan's minimum of minutes between two polls; null: the plan sets none. */
  findMinimum(orgId: string): Promise<number | null>;
  /** Callbacks of one trigger that may be in flight in one process. */
  findMost(orgId: string): Promise<number>;
}

/** Reads the plan's limits of an organization from members. Call it outside of transactions. */
export function planLimits(network: Network): PlanLimits {
  const members = network.client('members', OrganizationServiceDefinition);
  const find = memoize({ ttlMs: REMEMBER_MS }, async (orgId: string) => (await members.getLimits({ orgId })).limits);
  return {
    findMinimum: async (orgId) => (await find(orgId))?.minimumPollingMinutes ?? null,

    async findMost(orgId) {
      // Callbacks must not fail here if members is unavailable: each attempt asks members anyway whether the workspace is suspended.
      const limits = await find(orgId).catch(() => ({ callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER }));
      return Math.min(limits?.callbacksPerTrigger ?? MOST_PER_TRIGGER, MOST_PER_TRIGGER);
    },
  };
}
