import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';
import { type FindLimit, planLimit } from '@drawbridge/service';

/** A changed plan takes effect everywhere within a second, and at once when its event arrives. */
const REMEMBER_MS = 900;

/** Returns a function that reads how many servers the plan allows. */
export function serverLimit(network: Network): FindLimit {
  const members = network.client('members', OrganizationServiceDefinition);
  const ask = memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
  return planLimit(async (orgId) => {
    const { limits, planVersion: version } = await ask(orgId);
    return { allowed: limits?.mcpServers ?? null, version };
  });
}
