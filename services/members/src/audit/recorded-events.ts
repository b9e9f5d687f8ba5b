import { actorOf, type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { appendEntries, type NewEntry } from './append.js';

export type Recorded = EventOf<'auditRecorded' | 'actionExecuted'>;

/** Appends an audit log entry for each change, each refusal and each use of a credential. */
export function recordEntries(events: Recorded[], tx: PoolClient): Promise<void> {
  return appendEntries(events.flatMap(toEntries), tx);
}

function toEntries({ payload, ...event }: Recorded): NewEntry[] {
  switch (payload.$case) {
    case 'auditRecorded':
      return [toEntry({ ...event, payload })];
    case 'actionExecuted':
      return toUse({ ...event, payload });
  }
}

function toEntry({ id, orgId, occurredAt: createdAt, payload: { value } }: EventOf<'auditRecorded'>): NewEntry {
  return {
    orgId,
    id,
    workspaceId: value.workspaceId ?? null,
    actorType: value.actorType,
    actorId: value.actorId ?? null,
    action: value.action,
    resourceType: typeOf(value.action),
    resourceId: value.resourceId ?? null,
    resourceName: value.resourceName ?? null,
    outcome: value.outcome,
    reason: value.reason ?? null,
    requestId: value.requestId,
    address: value.address ?? null,
    createdAt,
  };
}

/** A run that used no credential is only in the run log. */
function toUse({ id, orgId, occurredAt, payload: { value } }: EventOf<'actionExecuted'>): NewEntry[] {
  if (value.connectionId === undefined) return [];
  const { actorType, actorId = null } = actorOf(value);
  const use: NewEntry = {
    orgId,
    id,
    workspaceId: value.workspaceId,
    actorType,
    actorId,
    action: 'connection.use',
    resourceType: 'connection',
    resourceId: value.connectionId,
    resourceName: value.integrationName,
    outcome: 'allowed',
    reason: `${value.actionName}, execution ${value.executionId}`,
    requestId: value.requestId,
    address: value.address ?? null,
    createdAt: occurredAt,
  };
  return [use];
}

/** Returns the resource type of an action: `workspace` for `workspace.create`. */
function typeOf(action: string): string {
  return action.slice(0, action.indexOf('.'));
}
