import { isId, type ServiceName } from '@drawbridge/contracts';
import { auditedCall, type Background, type DeniedCall, describeError } from '@drawbridge/rpc';
import { type Log } from './bus.js';
import { eventValues, insertEvent, type NewEvent, newEvent } from './outbox.js';

/** The resource of an audit entry and the change to it. Contains only properties of the resource that every reader of the audit log may see. */
export interface AuditedChange {
  id?: string;
  name?: string;
  workspaceId?: string | null;
  /** The reason for the change. For a change of permissions, the old and the new value. */
  reason?: string;
}

/** The acting user of a call without an authenticated caller. The request identifies the user. */
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
  if (!who) throw new Error(`The audited call ${call.action} has no caller`);
  return toEvent(who.orgId, actorOf(who), { ...call, outcome: 'allowed' }, change);
}

/** Returns the audit entry of a denied call. Only valid ids are kept, because the request may contain any string. */
export function denialEvent({ caller, action, requestId, address, workspaceId, id, reason }: DeniedCall): NewEvent {
  const entry = { action, requestId, address, outcome: 'denied' as const };
  return toEvent(caller.orgId, actorOf(caller), entry, { id: idOf(id), workspaceId: idOf(workspaceId), reason });
}

/**
 * Returns the audit entry of a change outside of a call: a change by an operator on the command line, or by the system as a consequence of another
 * change.
 */
export function unaskedEvent(
  actorType: 'operator' | 'system',
  { orgId, action, ...change }: AuditedChange & { orgId: string; action: string },
): NewEvent {
  return toEvent(orgId, { actorType }, { action, requestId: '', outcome: 'allowed' }, change);
}

/** Removes the prefix of a public id, which states the type of the resource. Returns undefined if the id is invalid. */
function idOf(text: string | undefined): string | undefined {
  const id = text?.replace(/^[a-z]{3}_/, '');
  return id !== undefined && isId(id) ? id.toLowerCase() : undefined;
}

/** Returns the API key that acts, or the person if there is no key, or the system. */
export function actorOf({ keyId, userId }: { keyId?: string; userId?: string }): Actor {
  if (keyId) return { actorType: 'api_key', actorId: keyId };
  return userId ? { actorType: 'user', actorId: userId } : { actorType: 'system' };
}

/** Limits the size of an entry, because it is published in a batch with other events. */
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

const WINDOW_MS = 60_000;
/** The number of denied calls of one caller that are recorded individually per window. The limit prevents repeated denials from filling the disk. */
const ONE_BY_ONE = 20;
const MAX_CALLERS = 10_000;

interface Needs {
  service: ServiceName;
  pool: { query(sql: string, values: unknown[]): Promise<unknown> };
  log: Pick<Log, 'warn'>;
}

interface Denials extends Background {
  /** Resolves when the denied call is written or counted. Never rejects. */
  note(denied: DeniedCall): Promise<void>;
}

/**
 * Writes denied calls to the outbox for the audit log. The first calls of each caller in a minute are written individually, before the error response
 * is sent. All further calls become one entry with their count, at the end of the minute or at shutdown.
 */
export function denials({ service, pool, log }: Needs): Denials {
  const insert = insertEvent(service, { first: 1 });
  let refused = new Map<string, { more: number; last: DeniedCall; seen: number }>();
  let timer: NodeJS.Timeout;

  const write = async (denied: DeniedCall): Promise<void> => {
    try {
      await pool.query(insert, eventValues(denialEvent(denied)));
    } catch (error) {
      log.warn({ error: describeError(error) }, 'could not record a denied call');
    }
  };
  const flush = async (): Promise<void> => {
    const over = [...refused.values()].filter(({ more }) => more > 0);
    refused = new Map();
    for (const { last, more } of over) await write(summaryOf(last, more));
  };

  return {
    async note(denied) {
      const { keyId, sessionId, userId, orgId } = denied.caller;
      const who = `${orgId} ${keyId ?? sessionId ?? userId}`;
      const known = refused.get(who) ?? { more: 0, last: denied, seen: 0 };
      refused.set(who, known);
      known.seen += 1;
      known.last = denied;
      if (known.seen <= ONE_BY_ONE) await write(denied);
      else known.more += 1;
      if (refused.size > MAX_CALLERS) await flush();
    },
    start: () => void (timer = setInterval(() => void flush(), WINDOW_MS).unref()),
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

function summaryOf({ caller, action }: DeniedCall, more: number): DeniedCall {
  return {
    caller,
    action,
    requestId: '',
    reason: `${more} more calls were refused within a minute, the last of them this one`,
  };
}

/** Returns the text. If it is longer than `most` UTF-16 code units, it is cut and its length is appended: `abc… (8211 characters)`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Does not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
