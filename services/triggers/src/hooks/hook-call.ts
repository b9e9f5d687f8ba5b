import { type JsonObject } from '@drawbridge/piece-kit';
import { type HookCall } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Source } from '../gen/prisma/client.js';

/** Which trigger of whom, with the connection that was picked when it was enabled. */
export function toHookCall(source: Source): HookCall {
  const { workspaceIntegrationId, integrationAlias, connectionStrategy, connectionId } = source;
  const isConfigured = workspaceIntegrationId !== null && integrationAlias !== null;
  return {
    orgId: source.orgId,
    placeId: source.workspaceId,
    userId: source.userId,
    keyId: source.keyId ?? undefined,
    integrationName: source.integrationName,
    triggerName: source.triggerName,
    input: source.input as JsonObject,
    instance: isConfigured
      ? {
          id: workspaceIntegrationId,
          alias: integrationAlias,
          connectionStrategy: connectionStrategy ?? '',
          connectionId: connectionId ?? undefined,
        }
      : undefined,
    endUserId: source.endUserId ?? undefined,
    connection: connectionId === null ? undefined : { $case: 'connectionId', value: connectionId },
  };
}

/** What the third party calls. Empty where nobody calls it, or nobody has said where the gateway is. */
export function webhookUrlOf(
  baseUrl: string,
  { integrationName, hookId }: Pick<Source, 'integrationName' | 'hookId'>,
): string {
  return hookId === null ? '' : `${baseUrl}/api/v1/webhooks/${integrationName}/${hookId}`;
}
