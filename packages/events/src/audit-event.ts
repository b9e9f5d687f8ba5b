import { isId } from '@drawbridge/contracts';
import { auditedCall, type DeniedCall } from '@drawbridge/rpc';
import { type NewEvent, newEvent } from './outbox-row.js';
import { shortened } from './shortened.js';

/** What was done to what, as the audit log shows it: of the resource no more than whoever may read it sees. */
export interface AuditedChange {
  id?: string;
  name?: string;
  workspaceId?: string | null;
  /** What it was for; of what decides who may do what, from what to what it was changed. */
  reason?: string;
}

/** A user, where the call has no caller: who they are, stands in its request. */
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

/** The outbox row that tells the audit log of the call that is served: it belongs into the commit of the change. */
export function auditEvent(change: AuditedChange, user?: AuditedUser): NewEvent {
  const { caller, ...call } = auditedCall();
  const who = user ?? caller;
  if (!who) throw new Error(`Nobody is known to have done ${call.action}`);
  return toEvent(who.orgId, actorOf(who), { ...call, outcome: 'allowed' }, change);
}

/** The same for a call that was refused. What it named may be any text: of that only an id is kept. */
export function denialEvent({ caller, action, requestId, address, workspaceId, id, reason }: DeniedCall): NewEvent {
  const entry = { action, requestId, address, outcome: 'denied' as const };
  return toEvent(caller.orgId, actorOf(caller), entry, { id: idOf(id), workspaceId: idOf(workspaceId), reason });
}

/** The same for what no call asked for: what an operator does from the command line, and what follows from it. */
export function unaskedEvent(
  actorType: 'operator' | 'system',
  { orgId, action, ...change }: AuditedChange & { orgId: string; action: string },
): NewEvent {
  return toEvent(orgId, { actorType }, { action, requestId: '', outcome: 'allowed' }, change);
}

/** Some ids are shown with a prefix, which says of what they are. */
function idOf(text: string | undefined): string | undefined {
  const id = text?.replace(/^[a-z]{3}_/, '');
  return id !== undefined && isId(id) ? id.toLowerCase() : undefined;
}

/** Who acts by a key, else the person. */
export function actorOf({ keyId, userId }: { keyId?: string; userId?: string }): Actor {
  if (keyId) return { actorType: 'api_key', actorId: keyId };
  return userId ? { actorType: 'user', actorId: userId } : { actorType: 'system' };
}

/** An entry must stay small beside the others that it is published with, whatever its parts say. */
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
