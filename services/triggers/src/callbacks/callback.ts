import { type SourceSecrets } from '../secrets/source-secrets.js';

/** The fields of a delivery from which the body of a callback is built. */
export interface CallbackEvent {
  eventId: string;
  sourceId: string;
  integrationName: string;
  integrationAlias: string | null;
  triggerName: string;
  workspaceId: string;
  endUserId: string | null;
  simulate: boolean;
  callbackMetadata: unknown;
  /** The original JSON of the event. Null if the event was deleted. */
  payload: string | null;
  createdAt: Date;
}

/** A claimed delivery, with the attributes of its event and trigger source that an attempt needs. */
export interface OpenDelivery extends CallbackEvent {
  id: string;
  orgId: string;
  /** `attempt` counts all attempts. `tries` counts the attempts since the delivery was created or last redelivered. */
  attempt: number;
  tries: number;
  /** Deadline for starting to send, on the clock of `performance.now()`. When the lease expires, another process may repeat the attempt. */
  sendBy: number;
  /** The id of the source. The fair queue limits concurrency by this target. */
  target: string;
  bytes: number;
  /** Null if the trigger has no callback. Only the previous version of Drawbridge records such deliveries as due. */
  callbackUrl: string | null;
  /** False if the callback must not be sent: the source was deleted, or it was disabled and no user has redelivered the delivery since. */
  isWanted: boolean;
}

/**
 * Returns the body of a callback, which is equal in every attempt. Inserts the payload as text, because parsing 5 MiB of JSON would block the event
 * loop.
 */
export function bodyOf(delivery: CallbackEvent): string {
  const { eventId, sourceId, integrationName, integrationAlias, triggerName, workspaceId, endUserId } = delivery;
  const { simulate, callbackMetadata, payload, createdAt } = delivery;
  const about = JSON.stringify({
    ...{ id: eventId, type: 'trigger.event', triggerSourceId: sourceId },
    ...{ integrationName, integrationAlias, triggerName, workspaceId, endUserId },
    ...{ simulate, callbackMetadata },
  });
  return `${about.slice(0, -1)},"payload":${payload},"createdAt":"${createdAt.toISOString()}"}`;
}

/**
 * Returns the callback headers that the caller configured, and the headers of Drawbridge, which take precedence. Converts names to lower case,
 * because header names are case-insensitive.
 */
export function headersOf(
  { id, sourceId }: Pick<OpenDelivery, 'id' | 'sourceId'>,
  attempt: number,
  { callbackHeaders }: Pick<SourceSecrets, 'callbackHeaders'>,
): Record<string, string> {
  const own = Object.entries(callbackHeaders).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...Object.fromEntries(own),
    'x-svc-trigger': sourceId,
    'x-svc-delivery': id,
    'x-svc-attempt': `${attempt}`,
  };
}
