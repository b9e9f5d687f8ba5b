import { invalid } from '@drawbridge/contracts';
import { findOperation, type JsonObject, type OperationName, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type Invocation,
  type InvocationServiceDefinition,
  type OfferList,
  type ResolveTriggerRequest,
} from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import {
  configuredIn,
  type ConfiguredInstance,
  type ConfiguredInstances,
  defaultInstance,
  pickInstance,
} from './configured-instances.js';
import { explainInvocation } from './explain-invocation.js';
import { type AppliedPartials, mergeInput, type PartialSelector, within } from './partials/apply-partials.js';
import {
  requireAction,
  requireEnabled,
  requireInput,
  requirePiece,
  requireTrigger,
  toInvocation,
} from './require-callable.js';

interface Needs {
  pool: Pool;
  /** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
  /** Throws the same errors, but does not use a cache. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
  instances: ConfiguredInstances;
  partials: AppliedPartials;
}

/** The most frequent read of the product: a call causes no query and no compilation of its own. */
export function invocations(needs: Needs): Implementation<InvocationServiceDefinition> {
  const { requireWorkspace, requireWorkspaceNow, instances, partials } = needs;
  return {
    async resolveInvocation({ workspaceId, actionName, triggerName, input = {}, partialIds, isDraft, ...selector }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspace);
      const piece = requirePiece(selector.integrationName);
      const action = triggerName === undefined ? requireAction(piece, actionName) : undefined;
      const picked = pickInstance(configured, selector);
      if (action) requireEnabled(picked, actionName);
      const operation = triggerName === undefined ? { actionName } : { triggerName };
      const merged = await mergePartials(partials, { piece, picked, operation, partialIds, input });
      if (action && !isDraft) requireInput(action, merged ?? input);
      return toInvocation(piece, picked, merged);
    },

    resolveTrigger: (request) => resolveTrigger(needs, request),

    explainInvocation: (request) => explainInvocation(needs, request),

    async getDefaultInstance({ workspaceId, integrationName }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow);
      if (!findPiece(integrationName)) throw invalid({ integrationName: `there is no integration ${integrationName}` });
      return { instance: defaultInstance(configured, integrationName)?.instance };
    },

    listOffers: async ({ orgId, placeId: workspaceId }) => offersOf(await instances.of({ orgId, workspaceId })),

    async getInstance({ workspaceId, workspaceIntegrationId: id }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow);
      const found = configured.find(({ instance }) => instance.id === id.toLowerCase());
      if (!found) throw invalid({ workspaceIntegrationId: `no integration ${id} in the workspace of this end user` });
      return { integrationName: found.integrationName };
    },
  };
}

/** Resolves a trigger when it is enabled. This is rare, so the workspace is checked without a cache. */
async function resolveTrigger(
  { requireWorkspaceNow, instances, partials }: Needs,
  { workspaceId, triggerName, input = {}, partialIds, ...selector }: ResolveTriggerRequest,
): Promise<Invocation> {
  const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow);
  const piece = requirePiece(selector.integrationName);
  const trigger = requireTrigger(piece, triggerName);
  const picked = pickInstance(configured, selector);
  const asked = { piece, picked, operation: { triggerName }, partialIds, input };
  const merged = (await mergePartials(partials, asked)) ?? input;
  requireInput(trigger, merged);
  return toInvocation(piece, picked, merged);
}

interface AskedInput extends Pick<PartialSelector, 'partialIds'> {
  piece: Piece;
  picked: ConfiguredInstance | undefined;
  operation: OperationName;
  input: JsonObject;
}

/** Returns the input merged with the partials; undefined if no partial applies. */
async function mergePartials(
  partials: AppliedPartials,
  { piece, picked, operation, input, ...asked }: AskedInput,
): Promise<JsonObject | undefined> {
  const applied = await partials({ ...asked, orgId: caller().orgId, heads: picked?.partials ?? [], operation });
  const { props = {} } = findOperation(piece, operation) ?? {};
  const said = applied.map((partial) => within(props, partial));
  return said.length > 0 ? mergeInput(said, input) : undefined;
}

/** Returns the configured integrations that use connections. */
function offersOf(configured: readonly { integrationName: string }[]): OfferList {
  const names = new Set(configured.map(({ integrationName }) => integrationName));
  return { integrationNames: [...names].filter((name) => findPiece(name)?.auth?.types.length) };
}
