import { DEFAULT_CALLBACKS_PER_TRIGGER } from '@drawbridge/contracts';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';

/** Time, in milliseconds, for which limits are cached, so that a change of the plan takes effect within a second. */
const REMEMBER_MS = 900;
/**
 * Maximum number of concurrent callbacks of one trigger, whatever the plan allows, so that one process has slots for several triggers at their limit.
 */
const MOST_PER_TRIGGER = 50;

export type PlanLimits = ReturnType<typeof planLimits>;

/** Reads the plan limits of an organization from the members service. Must be called outside of transactions. */
export function planLimits(network: Network) {
  const members = network.client('members', OrganizationServiceDefinition);
  const find = memoize({ ttlMs: REMEMBER_MS }, async (orgId: string) => (await members.getLimits({ orgId })).limits);
  return {
    /** Returns the minimum number of minutes between two polls that the plan allows, or null if it sets none. */
    findMinimum: async (orgId: string): Promise<number | null> => (await find(orgId))?.minimumPollingMinutes ?? null,

    /** Returns the maximum number of callbacks of one trigger that are active in one process. */
    async findMost(orgId: string): Promise<number> {
      // Uses the default limit while the members service is unavailable, so that claiming callbacks does not fail. Each attempt also calls this
      // service and handles its outage.
      const limits = await find(orgId).catch(() => ({ callbacksPerTrigger: DEFAULT_CALLBACKS_PER_TRIGGER }));
      return Math.min(limits?.callbacksPerTrigger ?? MOST_PER_TRIGGER, MOST_PER_TRIGGER);
    },
  };
}
