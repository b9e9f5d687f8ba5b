import { type Piece } from '@drawbridge/piece-kit';
import { type Instance, type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import {
  type SelectConnectionRequest,
  type SelectedConnection as Selected,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type CalledTool } from '../claims/request-hash.js';
import { type Pipeline } from './pipeline.js';

/** The fields of a call that select a connection. */
type Naming = Pick<ExecuteActionRequest, 'integrationName' | 'endUserId' | 'connectionExternalId'> & {
  workspaceId?: string;
};

/** The connection that a call uses, before it is opened. */
export type SelectedConnection = Required<Pick<Selected, 'connectionId'>> & Selected;

/** Returns undefined if the action runs without a connection. Fails as the vault does. */
export async function select(
  { vault }: Pipeline,
  { request, invocation, tool }: { request: Naming; invocation: Invocation; tool?: CalledTool },
): Promise<SelectedConnection | undefined> {
  const asked = toSelection(request, invocation);
  if (!asked) return undefined;
  const { connectionId, ...selected } = await vault.selectConnection({ ...asked, ...givenTo(tool) });
  return connectionId === undefined ? undefined : { ...selected, connectionId };
}

/** Treats the tool's connection like one that is fixed in the integration: shared by all end users, if the workspace can use it. */
function givenTo({ connectionId }: Partial<CalledTool> = {}): Partial<SelectConnectionRequest> {
  return connectionId === undefined ? {} : { connectionStrategy: 'fixed', connectionId };
}

/** Returns the request to the vault; undefined if the integration uses no connection and the call names none. */
export function toSelection(
  request: Naming,
  { connectionTypes, connectionRequired: required, instance }: Invocation,
): SelectConnectionRequest | undefined {
  const { integrationName, workspaceId, endUserId, connectionExternalId: externalId } = request;
  if (connectionTypes.length === 0 && externalId === undefined) return undefined;
  const { connectionStrategy, connectionId } = instance ?? {};
  return { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId, required };
}

/** Returns what the catalog would return for a piece whose configured integration is known or does not exist. */
export function invocationOf({ auth }: Piece, instance?: Instance): Invocation {
  const connectionTypes = [...(auth?.types ?? [])];
  return { instance, input: undefined, connectionTypes, connectionRequired: auth?.required ?? false };
}
