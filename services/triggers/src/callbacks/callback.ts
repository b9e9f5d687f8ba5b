import { type SourceSecrets } from '../secrets/source-secrets.js';

/** A delivery with a started attempt, and its event and trigger source. */
export interface OpenDelivery {
  id: string;
  orgId: string;
  workspaceId: string;
  /** `attempt` counts all attempts. `tries` counts the attempts since the delivery was created or last redelivered. */
  attempt: number;
  tries: number;
  /** Deadline for sending, on the clock of `performance.now()`. Another process may take over the delivery soon after it. */
  sendBy: number;
  eventId: string;
  /** The id of the source, which is the target in the queue. */
  target: string;
  bytes: number;
  /** The original JSON of the event. Null if the event was deleted. */
  payload: string | null;
  createdAt: Date;
  simulate: boolean;
  sourceId: string;
  integrationName: string;
  integrationAlias: string | null;
  triggerName: string;
  endUserId: string | null;
  /** Null if the trigger has no callback. Only the previous version records such deliveries as due. */
  callbackUrl: string | null;
  callbackMetadata: unknown;
  /** False if the source was deleted, or was disabled and the delivery has not been redelivered since. */
  isWanted: boolean;
}

/** The fields of a delivery that the body contains. */
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
 * Returns the body of a callback, which is equal in every attempt. The payload is inserted as a string, because parsing 5 MiB of JSON blocks the
 * event loop.
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

/** Returns the headers of the caller and of Drawbridge. Drawbridge's headers take precedence. Names are compared case-insensitively. */
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
