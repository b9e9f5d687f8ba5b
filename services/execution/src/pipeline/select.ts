import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

/** The id of the connection to use, unopened; undefined where the action runs without one. Fails as the vault does. */
export async function select(
  { vault }: Pipeline,
  { request }: ActionCall,
  { invocation: { connectionTypes, connectionRequired: required, instance } }: ResolvedCall,
): Promise<string | undefined> {
  const { integrationName, workspaceId, endUserId, connectionExternalId: externalId } = request;
  if (connectionTypes.length === 0 && externalId === undefined) return undefined;
  const { connectionStrategy, connectionId } = instance ?? {};
  const asked = { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId, required };
  return (await vault.selectConnection(asked)).connectionId;
}
