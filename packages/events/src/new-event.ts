import { newId } from '@drawbridge/contracts';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { traceparent as currentTraceparent } from '@drawbridge/rpc';

/** What happened: one payload of the envelope. */
export type EventPayload = NonNullable<Envelope['payload']>;

/** The columns of an outbox row that its writer gives; the database adds the rest. */
export type NewEvent = { id: string; type: string; orgId: string; envelope: Buffer<ArrayBuffer> };

/** The outbox row of a fact, for statements that write it themselves. `traceparent` (W3C): by default the request's at hand. */
export function newEvent(
  payload: EventPayload,
  { orgId, traceparent = currentTraceparent() ?? '' }: { orgId: string; traceparent?: string },
): NewEvent {
  const id = newId();
  const type = inWords(payload.$case);
  const envelope = Envelope.encode({ id, type, orgId, occurredAt: new Date().toISOString(), traceparent, payload });
  return { id, type, orgId, envelope: Buffer.from(envelope.finish()) };
}

/** `workspaceDeleted` → `workspace.deleted`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`);
}
