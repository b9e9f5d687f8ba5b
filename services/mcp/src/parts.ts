import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { IdentityServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { liveWorkspaces, lookUpWorkspace, memoize, type Network } from '@drawbridge/rpc';
import { type FindLimit, PIECES_VARIABLES, planLimit, type ServiceResources } from '@drawbridge/service';
import { accessLookUp, endUsers, isThere } from './access/token-access.js';
import { type emptyWorkspace } from './deletion.js';
import { type PrismaClient } from './gen/prisma/client.js';
import { clientDocuments } from './oauth/clients.js';
import { serverSlots } from './oauth/grants.js';
import { sharing } from './servers/static-bearer.js';

export const VARIABLES = { ...EGRESS_VARIABLES, ...PIECES_VARIABLES };

type Resources = ServiceResources<PrismaClient, typeof VARIABLES, typeof emptyWorkspace>;

/** The dependencies of all RPCs. */
export type Parts = ReturnType<typeof openParts>;

export function openParts({ config, network, log, db, pool, guard, outbox }: Resources) {
  const egress = configuredEgress(config);
  const findEndUser = endUsers(network);
  return {
    db,
    pool,
    guard,
    outbox,
    /** Throws NOT_FOUND for a workspace of another organization, FORBIDDEN for a suspended workspace. `requireWorkspaceNow` uses no cache. */
    requireWorkspace: liveWorkspaces(network),
    requireWorkspaceNow: lookUpWorkspace(network),
    identities: network.client('connections', IdentityServiceDefinition),
    catalog: network.client('catalog', LinkedInstanceServiceDefinition),
    sharing: sharing({ network, log }),
    findEndUser,
    isThere: isThere(findEndUser),
    accessOf: accessLookUp(pool),
    findLimit: serverLimit(network),
    findDocument: clientDocuments((host) => egress.sendFor(`OAuth clients of ${host}`)),
    atServer: serverSlots(),
    close: () => egress.close(),
  };
}

/** Limits of a plan are cached for this time, so that a changed plan takes effect in every process within a second. */
const REMEMBER_MS = 900;

/** Returns a function that reads the plan's limit of MCP servers. */
function serverLimit(network: Network): FindLimit {
  const members = network.client('members', OrganizationServiceDefinition);
  const ask = memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
  return planLimit(async (orgId) => {
    const { limits, planVersion: version } = await ask(orgId);
    return { allowed: limits?.mcpServers ?? null, version };
  });
}
