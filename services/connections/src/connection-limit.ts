import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller, memoize, type Network } from '@drawbridge/rpc';

/** Another plan holds everywhere within a second. */
const REMEMBER_MS = 900;

/** How many connections the plan of the caller's organization allows; null: no limit. */
export function connectionLimit(network: Network): () => Promise<number | null> {
  const members = network.client('members', OrganizationServiceDefinition);
  const find = memoize({ ttlMs: REMEMBER_MS }, async () => (await members.getLimits({})).connections ?? null);
  return () => find(caller().orgId);
}
