import { ApiError, invalid } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { callbackProblem } from '@drawbridge/egress';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import {
  type EnabledTrigger,
  type EnableTriggerRequest,
  type TriggerSource,
} from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { caller, detached, requireInTime } from '@drawbridge/rpc';
import { requirePollingInterval } from '../polling/next-poll.js';
import { begin, type SourceParts, type Wanted } from './create-source.js';
import { requireTrigger } from './find-trigger.js';
import { complete } from './register-source.js';
import { type Source } from '../gen/prisma/client.js';
import { requireWanted, sizeProblem } from './validate-trigger.js';

/**
 * Time limit of enabling, in milliseconds, even if the caller disconnects. It is shorter than the time after which the scheduler treats a source as
 * abandoned.
 */
const LIMIT_MS = 115_000;

/**
 * Enables a trigger. An invalid or canceled request fails before anything is written. After that, enabling continues even if the caller disconnects,
 * because the provider may already be registered.
 */
export async function enable(parts: SourceParts, request: EnableTriggerRequest): Promise<EnabledTrigger> {
  const wanted = await want(parts, request);
  requireInTime();
  return detached(async () => {
    const begun = await begin(parts, wanted);
    const row = await complete(parts, wanted, begun);
    parts.outbox.wake();
    return { triggerSource: toTriggerSource(row), signingSecret: begun.secrets.signingSecret };
  }, LIMIT_MS);
}

async function want(parts: SourceParts, request: EnableTriggerRequest): Promise<Wanted> {
  const { egress, invocations, findMinimum } = parts;
  const { integrationName, triggerName, workspaceId, workspaceIntegrationId, integrationAlias } = request;
  const trigger = requireTrigger(integrationName, triggerName);
  requireWanted(request, (url) => callbackProblem(egress, url));
  const { kind } = trigger;
  const minimum = kind === 'polling' ? await findMinimum(caller().orgId) : null;
  const pollingMinutes = requirePollingInterval({ kind, asked: request.pollingIntervalMinutes, minimum });
  const { input, partialIds } = request;
  const named = { workspaceId, integrationName, triggerName, workspaceIntegrationId, integrationAlias };
  const invocation = await invocations.resolveTrigger({ ...named, input, partialIds });
  const problem = sizeProblem(invocation.input ?? {});
  if (problem !== undefined) throw invalid({ input: problem });
  const connectionId = await pickConnection(parts.hooks, request, invocation);
  return { trigger, request, invocation, connectionId, pollingMinutes };
}

/**
 * Selects the connection of a trigger before its source is stored. The source is stored with the connection, so that deleting the connection also
 * disables a source that is still being enabled. Returns undefined for a simulated trigger without a connection, because no provider is called.
 * Throws CONNECTION_REQUIRED and CONNECTION_NOT_FOUND.
 */
async function pickConnection(
  hooks: Pick<SourceParts['hooks'], 'pickConnection'>,
  request: EnableTriggerRequest,
  { instance, input }: Invocation,
): Promise<string | undefined> {
  const { orgId, userId, keyId } = caller();
  const { integrationName, triggerName, workspaceId: placeId, endUserId, connectionExternalId: externalId } = request;
  const of = { orgId, placeId: placeId.toLowerCase(), userId, keyId };
  const trigger = { integrationName, triggerName, input, instance, endUserId };
  const call = { ...of, ...trigger, connection: { $case: 'selector' as const, value: { externalId } } };
  try {
    return (await hooks.pickConnection({ call })).connectionId;
  } catch (error) {
    const isNone = error instanceof ApiError && error.code === 'CONNECTION_REQUIRED';
    if (request.simulate && isNone && externalId === undefined) return undefined;
    throw error;
  }
}

export function toTriggerSource({ lastDeliveryAt: lastDelivery, ...row }: Source): TriggerSource {
  return toWire({ ...row, lastDelivery });
}
