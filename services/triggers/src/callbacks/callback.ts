import { type SourceSecrets } from '../secrets/opened-secrets.js';

/** A delivery of which an attempt was begun, its event, and who asked for it. */
export interface OpenDelivery {
  id: string;
  orgId: string;
  workspaceId: string;
  /** The attempt: of all, and of those since it was told or last delivered again. */
  attempt: number;
  tries: number;
  /** By performance.now(): nobody is asked later, for another may do it soon. */
  sendBy: number;
  eventId: string;
  /** JSON, as it was written; null where its event is gone. */
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
  /** False where its source is gone, or was disabled and the delivery not redelivered since. */
  isWanted: boolean;
}

/** The body of a callback: the same in every attempt. What happened is put in as it was written: to read 5 MiB of it holds up all others. */
export function bodyOf(delivery: OpenDelivery): string {
  const { eventId, sourceId, integrationName, integrationAlias, triggerName, workspaceId, endUserId } = delivery;
  const { simulate, callbackMetadata, payload, createdAt } = delivery;
  const about = JSON.stringify({
    ...{ id: eventId, type: 'trigger.event', triggerSourceId: sourceId },
    ...{ integrationName, integrationAlias, triggerName, workspaceId, endUserId },
    ...{ simulate, callbackMetadata },
  });
  return `${about.slice(0, -1)},"payload":${payload},"createdAt":"${createdAt.toISOString()}"}`;
}

/** The caller's own, and ours, which win: a name in other letters is the same name. */
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
