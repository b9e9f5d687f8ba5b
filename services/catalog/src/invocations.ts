import { ApiError, invalid } from '@drawbridge/contracts';
import { findPiece } from '@drawbridge/pieces';
import { type InvocationServiceDefinition, type OfferList } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { configuredIn, defaultInstance } from './configured-instances.js';
import { explainInvocation } from './explain-invocation.js';
import { type Parts } from './parts.js';
import { resolveInvocation, resolveTrigger } from './resolve-invocation.js';

export function invocations(parts: Parts): Implementation<InvocationServiceDefinition> {
  const { requireWorkspaceNow, instances } = parts;
  return {
    resolveInvocation: (request) => confirmed(parts, request, resolveInvocation),

    resolveTrigger: (request) => resolveTrigger(parts, request),

    explainInvocation: (request) => explainInvocation(parts, request),

    async getDefaultInstance({ workspaceId, integrationName }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow, { isFresh: true });
      if (!findPiece(integrationName))
        throw invalid({ integrationName: `the integration ${integrationName} does not exist` });
      return { instance: defaultInstance(configured, integrationName)?.instance };
    },

    listOffers: async ({ orgId, placeId: workspaceId }) => offersOf(await instances.of({ orgId, workspaceId })),

    async getInstance({ workspaceId, workspaceIntegrationId: id }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow, { isFresh: true });
      const found = configured.find(({ instance }) => instance.id === id.toLowerCase());
      if (!found) throw invalid({ workspaceIntegrationId: `the workspace of this end user has no integration ${id}` });
      return { integrationName: found.integrationName };
    },
  };
}

/**
 * Calls `use` with the cached configuration of the workspace. If it fails and the configuration has changed, calls `use` again: the caller may have
 * just configured the integration or a partial through another process.
 */
async function confirmed<Request extends { workspaceId: string }, Answer>(
  parts: Parts,
  request: Request,
  use: (parts: Parts, request: Request) => Promise<Answer>,
): Promise<Answer> {
  const scope = { orgId: caller().orgId, workspaceId: request.workspaceId };
  const before = await parts.instances.of(scope);
  try {
    return await use(parts, request);
  } catch (error) {
    if (!(error instanceof ApiError && STALE.has(error.code))) throw error;
    if ((await parts.instances.current(scope)) === before) throw error;
    return use(parts, request);
  }
}

/** The errors that a configuration of up to a second ago can cause. */
const STALE = new Set<ApiError['code']>(['VALIDATION_ERROR', 'FORBIDDEN']);

/** Returns the configured integrations that use connections. */
function offersOf(configured: readonly { integrationName: string }[]): OfferList {
  const names = new Set(configured.map(({ integrationName }) => integrationName));
  return { integrationNames: [...names].filter((name) => findPiece(name)?.auth?.types.length) };
}
