import { type SourceSecrets } from '../secrets/source-secrets.js';

/** A delivery with a started attempt, with its event and its trigger source. */
export interface OpenDelivery {
  id: string;
  orgId: string;
  workspaceId: string;
  /** `attempt` counts all attempts, `tries` those since the delivery was created or last redelivered. */
  attempt: number;
  tries: number;
  /** Deadline for sending, by performance.now(). Another process may take over the delivery soon after it. */
  sendBy: number;
  eventId: string;
  /** The source, as the target of the queue. */
  target: string;
  bytes: number;
  /** The event's original JSON text; null when the event is deleted. */
  payload: string | null;
  createdAt: Date;
  simulate: boolean;
  sourceId: string;
  integrationName: string;
  integrationAlias: string | null;
  triggerName: string;
  endUserId: string | null;
  callbackUrl: string;
  callbackMetadata: unknown;
  /** False when the source is deleted, or was disabled and the delivery has not been redelivered since. */
  isWanted: boolean;
}

/** The fields of a delivery that its body contains. */
export type CallbackEvent = Pick<
  OpenDelivery,
  | 'eventId'
  | 'sourceId'
  | 'integrationName'
  | 'integrationAlias'
  | 'triggerName'
  | 'workspaceId'
  | 'endUserId'
  | 'simulate'
  | 'callbackMetadata'
  | 'payload'
  | 'createdAt'
>;

/**
 * Returns the body of a callback, which is the same in every attempt. The payload is inserted as text, because parsing 5 MiB of JSON blocks the event
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

/** Returns the caller's headers and ours. Ours win; names are compared case-insensitively. */
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
