import { invalid } from '@drawbridge/contracts';
import { callbackProblem } from '@drawbridge/egress';
import { type EnabledTrigger, type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { caller, detached, requireInTime } from '@drawbridge/rpc';
import { requirePollingInterval } from '../polling/polling-interval.js';
import { pickConnection } from '../hooks/pick-connection.js';
import { begin, type Wanted } from './begin.js';
import { complete } from './complete.js';
import { requireTrigger } from './find-trigger.js';
import { type SourceParts } from './parts.js';
import { toTriggerSource } from './to-trigger-source.js';
import { requireWanted, sizeProblem } from './wanted-source.js';

/** Enabling continues for this long after the caller disconnects. The scheduler abandons a source later than that. */
const LIMIT_MS = 115_000;

/**
 * Enables a trigger. A request that is invalid or whose caller disconnects fails before anything is written; after that, enabling runs to its end.
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
  const found = requireTrigger(integrationName, triggerName);
  requireWanted(request, (url) => callbackProblem(egress, url));
  const { kind } = found.trigger;
  const minimum = kind === 'polling' ? await findMinimum(caller().orgId) : null;
  const pollingMinutes = requirePollingInterval({ kind, asked: request.pollingIntervalMinutes, minimum });
  const { input, partialIds } = request;
  const named = { workspaceId, integrationName, triggerName, workspaceIntegrationId, integrationAlias };
  const invocation = await invocations.resolveTrigger({ ...named, input, partialIds });
  const problem = sizeProblem(invocation.input ?? {});
  if (problem !== undefined) throw invalid({ input: problem });
  const connectionId = await pickConnection(parts.hooks, request, invocation);
  return { ...found, request, invocation, connectionId, pollingMinutes };
}
