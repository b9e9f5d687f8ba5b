import { newId, SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { encode, traceparent as currentTraceparent } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { columnsOf } from './array-parameters.js';

/** The services that publish each event. The compiler requires an entry for each new payload. */
export const PUBLISHERS: Readonly<Record<EventPayload['$case'], readonly ServiceName[]>> = {
  workspaceDeleted: ['members'],
  planChanged: ['members'],
  connectionDeleted: ['connections'],
  endUserDeleted: ['connections'],
  connectionError: ['connections'],
  connectionReconnected: ['connections'],
  actionExecuted: ['execution'],
  codeRunStarted: ['execution'],
  codeRunEnded: ['execution'],
  approvalRequested: ['approvals'],
  approvalApproved: ['approvals'],
  approvalRejected: ['approvals'],
  approvalCanceled: ['approvals'],
  approvalExpired: ['approvals'],
  approvalNotified: ['approvals'],
  triggerReceived: ['triggers'],
  triggerDisabled: ['triggers'],
  instanceRenamed: ['catalog'],
  instanceDeleted: ['catalog'],
  partialDeleted: ['catalog'],
  bearerShared: ['mcp'],
  bearerWithdrawn: ['mcp'],
  auditRecorded: SERVICES.filter((service) => SERVICE_TABLE[service].hasDatabase),
};

/** Returns whether the service publishes any events. */
export function isPublisher(service: ServiceName): boolean {
  return Object.values(PUBLISHERS).some((services) => services.includes(service));
}

export type EventPayload = NonNullable<Envelope['payload']>;

/** The columns of an outbox row that its writer sets. The database sets all other columns. */
export type NewEvent = { id: string; type: string; orgId: string; envelope: Buffer };

/** Returns the outbox row of an event, for code that inserts the row itself. `traceparent` (W3C) defaults to that of the current request. */
export function newEvent(
  payload: EventPayload,
  { orgId, traceparent = currentTraceparent() ?? '' }: { orgId: string; traceparent?: string },
): NewEvent {
  const id = newId();
  const type = inWords(payload.$case);
  const envelope = encode(Envelope, { id, type, orgId, occurredAt: new Date().toISOString(), traceparent, payload });
  return { id, type, orgId, envelope };
}

/** Returns the event type of a payload case: `workspaceDeleted` → `workspace.deleted`, `endUserDeleted` → `end_user.deleted`. */
export function inWords(name: string): string {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return `${words.slice(0, -1).join('_')}.${words.at(-1)}`;
}

const COLUMNS = 'id, type, org_id, envelope';

interface Placement {
  /** The number of the first of the four SQL parameters, such as 1 for $1. Their values are those of `eventValues`. */
  first: number;
  /** A relation with at most one row. If it has no row, no event is written. */
  from?: string;
}

/**
 * Returns SQL that inserts one event into a service's outbox. Use it as a separate statement, or as a part of the statement that makes the change.
 */
export function insertEvent(service: ServiceName, { first, from }: Placement): string {
  const values = `$${first}::uuid, $${first + 1}::text, $${first + 2}::uuid, $${first + 3}::bytea`;
  return `INSERT INTO ${service}.outbox (${COLUMNS}) SELECT ${values}${from ? ` FROM ${from}` : ''}`;
}

export function eventValues({ id, type, orgId, envelope }: NewEvent): unknown[] {
  return [id, type, orgId, envelope];
}

export async function insertEvents(tx: PoolClient, service: ServiceName, events: NewEvent[]): Promise<void> {
  const columns = columnsOf(events.map(eventValues), ['uuid', 'text', 'uuid', 'bytea']);
  const rows = 'unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[])';
  await tx.query(`INSERT INTO ${service}.outbox (${COLUMNS}) SELECT * FROM ${rows}`, columns);
}
