import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';
import { type FindLimit, planLimit } from '@drawbridge/service';

/** Another plan holds everywhere within a second, and at once where its event has come. */
const REMEMBER_MS = 900;

/** How many servers the plan allows. */
export function serverLimit(network: Network): FindLimit {
  const members = network.client('members', OrganizationServiceDefinition);
  const ask = memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
  return planLimit(async (orgId) => {
    const { limits, planVersion: version } = await ask(orgId);
    return { allowed: limits?.mcpServers ?? null, version };
  });
}
