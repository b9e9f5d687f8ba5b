import { ApiError, invalid } from '@drawbridge/contracts';
import { type Action, inputSchema, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type InvocationServiceDefinition, type OfferList } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type ConfiguredInstance, type ConfiguredInstances } from './configured-instances.js';
import { defaultInstance, pickInstance } from './pick-instance.js';
import { type Check, compileCheck, requireNoProblems } from './problems.js';

interface Needs {
  /** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
  /** The same, asked anew each time. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
  instances: ConfiguredInstances;
}

/** The hottest read of the product: nothing here is asked or compiled anew for each call. */
export function invocations(needs: Needs): Implementation<InvocationServiceDefinition> {
  const { requireWorkspace, requireWorkspaceNow, instances } = needs;
  const checks = new Map<Action, Check>();

  function requireInput(action: Action, input: object): void {
    const check = checks.get(action) ?? compileCheck(inputSchema(action.props), 'input');
    checks.set(action, check);
    requireNoProblems(check(input));
  }

  return {
    // The settings of an instance are not input. Partials, once there are any, merge beneath `input` before it is checked.
    async resolveInvocation({ workspaceId, actionName, input = {}, ...selector }) {
      const { orgId } = caller();
      const [configured] = await Promise.all([instances.of({ orgId, workspaceId }), requireWorkspace(workspaceId)]);
      const piece = requirePiece(selector.integrationName);
      const action = requireAction(piece, actionName);
      const picked = pickInstance(configured, selector);
      requireEnabled(picked, actionName);
      requireInput(action, input);
      return {
        instance: picked?.instance,
        input: undefined,
        connectionTypes: [...(piece.auth?.types ?? [])],
        connectionRequired: piece.auth?.required ?? false,
      };
    },

    async getDefaultInstance({ workspaceId, integrationName }) {
      const { orgId } = caller();
      const [configured] = await Promise.all([instances.of({ orgId, workspaceId }), requireWorkspaceNow(workspaceId)]);
      if (!findPiece(integrationName)) throw invalid({ integrationName: `there is no integration ${integrationName}` });
      return { instance: defaultInstance(configured, integrationName)?.instance };
    },

    listOffers: async ({ orgId, placeId: workspaceId }) => offersOf(await instances.of({ orgId, workspaceId })),

    async getInstance({ workspaceId, workspaceIntegrationId: id }) {
      const { orgId } = caller();
      const [configured] = await Promise.all([instances.of({ orgId, workspaceId }), requireWorkspaceNow(workspaceId)]);
      const found = configured.find(({ instance }) => instance.id === id.toLowerCase());
      if (!found) throw invalid({ workspaceIntegrationId: `no integration ${id} in the workspace of this end user` });
      return { integrationName: found.integrationName };
    },
  };
}

function requirePiece(name: string): Piece {
  const piece = findPiece(name);
  // 404 is for the integration in a path; here it is a key of the body.
  if (!piece) throw new ApiError('INTEGRATION_NOT_FOUND', `Integration ${name} not found`, { status: 400 });
  return piece;
}

function requireAction({ name, actions }: Piece, actionName: string): Action {
  const action = Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
  const allowed = Object.keys(actions).join(', ');
  if (!action) throw invalid({ actionName: `${name} has no such action; it has ${allowed}` });
  return action;
}

function requireEnabled(picked: ConfiguredInstance | undefined, actionName: string): void {
  if (!picked?.enabledActions || picked.enabledActions.includes(actionName)) return;
  throw new ApiError('FORBIDDEN', `${actionName} is not enabled for ${picked.instance.alias} in this workspace`);
}

/** What can be connected of what is configured. */
function offersOf(configured: readonly { integrationName: string }[]): OfferList {
  const names = new Set(configured.map(({ integrationName }) => integrationName));
  return { integrationNames: [...names].filter((name) => findPiece(name)?.auth?.types.length) };
}
