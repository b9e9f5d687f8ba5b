import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { traceparent as currentTraceparent } from '@drawbridge/rpc';
import { v7 } from 'uuid';

/** The columns of an outbox row that its writer gives; the database adds the rest. */
export type NewEvent = { id: string; type: string; orgId: string; envelope: Buffer<ArrayBuffer> };

/**
 * The outbox row of a fact, written in the transaction that makes it one:
 * `tx.outbox.create({ data: newEvent({ $case: 'workspaceDeleted', value: { workspaceId } }, { orgId }) })`.
 * `traceparent` (W3C) defaults to that of the request at hand.
 */
export function newEvent(
  payload: NonNullable<Envelope['payload']>,
  { orgId, traceparent = currentTraceparent() ?? '' }: { orgId: string; traceparent?: string },
): NewEvent {
  const id = v7();
  const type = inWords(payload.$case);
  const envelope = Envelope.encode({ id, type, orgId, occurredAt: new Date().toISOString(), traceparent, payload });
  return { id, type, orgId, envelope: Buffer.from(envelope.finish()) };
}

/** `workspaceDeleted` → `workspace.deleted`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`);
}
