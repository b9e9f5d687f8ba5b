import { type Piece } from '@drawbridge/piece-kit';
import { type Instance, type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import {
  type SelectConnectionRequest,
  type SelectedConnection as Selected,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type CalledTool } from '../claims/request-hash.js';
import { type Pipeline } from './pipeline.js';

/** What a call says of the connection that it means. */
type Naming = Pick<ExecuteActionRequest, 'integrationName' | 'endUserId' | 'connectionExternalId'> & {
  workspaceId?: string;
};

/** The connection that a call uses, unopened. */
export type SelectedConnection = Required<Pick<Selected, 'connectionId'>> & Selected;

/** Undefined where the action runs without a connection. Fails as the vault does. */
export async function select(
  { vault }: Pipeline,
  { request, invocation, tool }: { request: Naming; invocation: Invocation; tool?: CalledTool },
): Promise<SelectedConnection | undefined> {
  const asked = toSelection(request, invocation);
  if (!asked) return undefined;
  const { connectionId, ...selected } = await vault.selectConnection({ ...asked, ...givenTo(tool) });
  return connectionId === undefined ? undefined : { ...selected, connectionId };
}

/** As if the integration had been configured with it: for everybody, and within what the workspace can use. */
function givenTo({ connectionId }: Partial<CalledTool> = {}): Partial<SelectConnectionRequest> {
  return connectionId === undefined ? {} : { connectionStrategy: 'fixed', connectionId };
}

/** What the vault is asked for; undefined where the integration uses no connection and none is named. */
export function toSelection(
  request: Naming,
  { connectionTypes, connectionRequired: required, instance }: Invocation,
): SelectConnectionRequest | undefined {
  const { integrationName, workspaceId, endUserId, connectionExternalId: externalId } = request;
  if (connectionTypes.length === 0 && externalId === undefined) return undefined;
  const { connectionStrategy, connectionId } = instance ?? {};
  return { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId, required };
}

/** What the catalog says of a piece whose instance is known, or which has none. */
export function invocationOf({ auth }: Piece, instance?: Instance): Invocation {
  const connectionTypes = [...(auth?.types ?? [])];
  return { instance, input: undefined, connectionTypes, connectionRequired: auth?.required ?? false };
}
