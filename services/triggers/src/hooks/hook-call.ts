import { type JsonObject } from '@drawbridge/piece-kit';
import { type HookCall } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Source } from '../gen/prisma/client.js';
import { requireTrigger } from '../sources/find-trigger.js';

/** The credential is opened and refreshed first, for up to 45 s; then the provider has 60 s. */
export const HOOK_TIME = { timeoutMs: 110_000 };

/**
 * Builds the call of a source's trigger, with the connection that was selected when it was enabled. Throws INTEGRATION_NOT_FOUND or TRIGGER_NOT_FOUND
 * if the operator has removed the piece: execution would wait for it to be installed.
 */
export function toHookCall(source: Source): HookCall {
  requireTrigger(source.integrationName, source.triggerName);
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
