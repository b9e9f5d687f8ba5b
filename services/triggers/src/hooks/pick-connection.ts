import { ApiError } from '@drawbridge/contracts';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { caller, type Client } from '@drawbridge/rpc';

type Hooks = Pick<Client<TriggerHookServiceDefinition>, 'pickConnection'>;

/**
 * Selects the connection of a trigger before its source exists, so that deleting the connection also finds a source that is still being enabled.
 * Returns undefined if there is none and the trigger is simulated, because no provider is called. Throws CONNECTION_REQUIRED and
 * CONNECTION_NOT_FOUND.
 */
export async function pickConnection(
  hooks: Hooks,
  request: EnableTriggerRequest,
  { instance, input }: Invocation,
): Promise<string | undefined> {
  const { orgId, userId, keyId } = caller();
  const { integrationName, triggerName, workspaceId: placeId, endUserId, connectionExternalId: externalId } = request;
  const of = {
    orgId,
    placeId: placeId.toLowerCase(),
    userId,
    keyId,
    integrationName,
    triggerName,
    input,
    instance,
    endUserId,
  };
  const call = { ...of, connection: { $case: 'selector' as const, value: { externalId } } };
  try {
    return (await hooks.pickConnection({ call })).connectionId;
  } catch (error) {
    const isNone = error instanceof ApiError && error.code === 'CONNECTION_REQUIRED';
    if (request.simulate && isNone && externalId === undefined) return undefined;
    throw error;
  }
}
