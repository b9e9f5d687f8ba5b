import { ApiError } from '@drawbridge/contracts';
import { findPiece } from '@drawbridge/pieces';
import { type CheckToolRequest } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type ConfiguredInstance } from './configured-instances.js';
import { defaultInstance, pickInstance } from './pick-instance.js';

export type AskedTarget = Pick<
  CheckToolRequest,
  'integrationName' | 'alias' | 'workspaceIntegrationId' | 'keptIntegrationId' | 'connectionId'
>;

/**
 * Returns the configured integration that a tool of an MCP server stores: the named one, else the one with its alias, else its current one, else the
 * default of an execution that names none. If several remain, the first one is used, unless the choice would decide the account. Undefined if none is
 * configured. Throws VALIDATION_ERROR, and ALIAS_CONFLICT if the alias is in use for something else.
 */
export function pickForTool(
  configured: readonly ConfiguredInstance[],
  { integrationName, alias, workspaceIntegrationId, keptIntegrationId, connectionId }: AskedTarget,
): ConfiguredInstance | undefined {
  const ofAlias = configured.find(({ instance }) => instance.alias === alias);
  if (ofAlias && ofAlias.integrationName !== integrationName) throw aliasTaken(alias, ofAlias.integrationName);
  if (workspaceIntegrationId !== undefined) {
    const named = pickInstance(configured, { integrationName, workspaceIntegrationId });
    if (ofAlias && ofAlias !== named) throw aliasTaken(alias, `the configured integration ${ofAlias.instance.id}`);
    return named;
  }
  const kept = configured.find(({ instance }) => instance.id === keptIntegrationId);
  const meant = ofAlias ?? kept ?? defaultInstance(configured, integrationName);
  if (meant) return meant;
  const isAccountKnown = connectionId !== undefined || !findPiece(integrationName)?.auth;
  const first = configured.find((one) => one.integrationName === integrationName);
  // Throws here, because an account must not be chosen by guessing.
  return isAccountKnown ? first : pickInstance(configured, { integrationName });
}

function aliasTaken(alias: string, taker: string): ApiError {
  return new ApiError('ALIAS_CONFLICT', `${alias} stands for ${taker} in this workspace`);
}
