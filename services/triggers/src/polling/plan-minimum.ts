import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';

/** Another plan holds within a second. */
const REMEMBER_MS = 900;

/** Minutes between two polls, at least, by the organization's plan; null: it says nothing. */
export type FindMinimum = (orgId: string) => Promise<number | null>;

/** Members is asked: outside of any transaction. */
export function pollingMinimum(network: Network): FindMinimum {
  const members = network.client('members', OrganizationServiceDefinition);
  return memoize({ ttlMs: REMEMBER_MS }, async (orgId: string) => {
    const { limits } = await members.getLimits({ orgId });
    return limits?.minimumPollingMinutes ?? null;
  });
}
