import { isId } from '@drawbridge/contracts';
import { auditedCall, type DeniedCall } from '@drawbridge/rpc';
import { type NewEvent, newEvent } from './outbox-row.js';
import { shortened } from './shortened.js';

/** The resource of an audit entry and what happened to it. Holds no more of the resource than its readers may see. */
export interface AuditedChange {
  id?: string;
  name?: string;
  workspaceId?: string | null;
  /** Why it was done; for a change of permissions, the old and the new value. */
  reason?: string;
}

/** The user who acts in a call without a caller. The request names them. */
export interface AuditedUser {
  orgId: string;
  userId: string;
}

interface Actor {
  actorType: 'api_key' | 'user' | 'operator' | 'system';
  actorId?: string;
}

interface Entry {
  action: string;
  requestId: string;
  address?: string;
  outcome: 'allowed' | 'denied';
}

/** Returns the outbox row of the audit entry for the current call. Insert it in the transaction of the change. */
export function auditEvent(change: AuditedChange, user?: AuditedUser): NewEvent {
  const { caller, ...call } = auditedCall();
  const who = user ?? caller;
  if (!who) throw new Error(`Nobody is known to have done ${call.action}`);
  return toEvent(who.orgId, actorOf(who), { ...call, outcome: 'allowed' }, change);
}

/** Returns the audit entry of a refused call. The request may name any text, so only valid ids are kept. */
export function denialEvent({ caller, action, requestId, address, workspaceId, id, reason }: DeniedCall): NewEvent {
  const entry = { action, requestId, address, outcome: 'denied' as const };
  return toEvent(caller.orgId, actorOf(caller), entry, { id: idOf(id), workspaceId: idOf(workspaceId), reason });
}

/** Returns the audit entry of a change outside of a call: by an operator on the command line, or a consequence of one. */
export function unaskedEvent(
  actorType: 'operator' | 'system',
  { orgId, action, ...change }: AuditedChange & { orgId: string; action: string },
): NewEvent {
  return toEvent(orgId, { actorType }, { action, requestId: '', outcome: 'allowed' }, change);
}

/** Removes the prefix of a public id, which names the type of the resource. */
function idOf(text: string | undefined): string | undefined {
  const id = text?.replace(/^[a-z]{3}_/, '');
  return id !== undefined && isId(id) ? id.toLowerCase() : undefined;
}

/** Returns the API key that acts, or else the person. */
export function actorOf({ keyId, userId }: { keyId?: string; userId?: string }): Actor {
  if (keyId) return { actorType: 'api_key', actorId: keyId };
  return userId ? { actorType: 'user', actorId: userId } : { actorType: 'system' };
}

/** Keeps an entry small, because it is published in a batch with others. */
const MOST_CHARACTERS = { name: 1_000, reason: 4_000 };

function toEvent(
  orgId: string,
  actor: Actor,
  entry: Entry,
  { id, name, workspaceId, reason }: AuditedChange,
): NewEvent {
  const resourceName = name === undefined ? undefined : shortened(name, MOST_CHARACTERS.name);
  const resource = { resourceId: id, resourceName, workspaceId: workspaceId ?? undefined };
  const why = reason === undefined ? undefined : shortened(reason, MOST_CHARACTERS.reason);
  return newEvent({ $case: 'auditRecorded', value: { ...entry, ...actor, ...resource, reason: why } }, { orgId });
}
