import { actorOf, arraysOf, columnsOf, type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { type AuditEntry, COLUMNS, FIRST_SEAL, sealOf } from './entry.js';

export type Recorded = EventOf<'auditRecorded' | 'actionExecuted'>;

/** Appends an audit log entry for each change, each denied call and each use of a credential. */
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
  return { ...value, orgId, id, resourceType: typeOf(value.action), createdAt };
}

/** Returns the audit log entry of an execution. An execution without a credential has no entry, because the run log already records it. */
function toUse({ id, orgId, occurredAt, payload: { value } }: EventOf<'actionExecuted'>): NewEntry[] {
  if (value.connectionId === undefined) return [];
  const use: NewEntry = {
    orgId,
    id,
    ...actorOf(value),
    workspaceId: value.workspaceId,
    action: 'connection.use',
    resourceType: 'connection',
    resourceId: value.connectionId,
    resourceName: value.integrationName,
    outcome: 'allowed',
    reason: `${value.actionName}, execution ${value.executionId}`,
    requestId: value.requestId,
    address: value.address,
    createdAt: occurredAt,
  };
  return [use];
}

/** Returns the resource type of an action: `workspace` for `workspace.create`. */
function typeOf(action: string): string {
  return action.slice(0, action.indexOf('.'));
}

/** An entry without its position in the chain of the organization and without the name of its actor, which are added when it is written. */
export type NewEntry = Omit<AuditEntry, 'seq' | 'actorName'>;

// Creates or updates the rows with the chain heads, which locks the chains against other writers. The fixed order prevents deadlocks.
const HOLD_CHAINS = {
  name: 'hold-audit-chains',
  text: `
  INSERT INTO members.audit_chains (org_id, entries, hash)
  SELECT org_id, 0, $2::bytea FROM unnest($1::uuid[]) AS wanted (org_id) ORDER BY org_id
  ON CONFLICT (org_id) DO UPDATE SET entries = audit_chains.entries
  RETURNING org_id AS "orgId", entries::int AS entries, hash`,
};

const NAMES = {
  name: 'name-actors',
  text: `
  SELECT id, name FROM members.api_keys WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[])
  UNION ALL SELECT id, email FROM members.users WHERE id = ANY($3::uuid[])`,
};

const columns = COLUMNS.map(([column]) => column).join(', ');
const TYPES = [...COLUMNS.map(([, type]) => type), 'bytea'] as const;
const next = TYPES.length + 1;
const WRITE = {
  name: 'write-audit-entries',
  text: `
  WITH written AS (
    INSERT INTO members.audit_entries (${columns}, hash) SELECT * FROM unnest(${arraysOf(TYPES)}))
  UPDATE members.audit_chains AS chain SET entries = head.entries, hash = head.hash
  FROM unnest($${next}::uuid[], $${next + 1}::bigint[], $${next + 2}::bytea[]) AS head (org_id, entries, hash)
  WHERE chain.org_id = head.org_id AND chain.org_id = ANY($${next}::uuid[])`,
};

interface Chain {
  orgId: string;
  entries: number;
  hash: Buffer;
}

/** Appends entries to the hash chains of their organizations, in the order of the list, and adds the names of their actors. */
export async function appendEntries(entries: NewEntry[], tx: PoolClient): Promise<void> {
  if (entries.length === 0) return;
  const orgIds = [...new Set(entries.map(({ orgId }) => orgId))];
  const held = await tx.query<Chain>({ ...HOLD_CHAINS, values: [orgIds, FIRST_SEAL] });
  const chains = new Map(held.rows.map((chain) => [chain.orgId, chain]));
  const names = await namesOf(entries, orgIds, tx);
  const sealed = entries.map((entry) => seal(entry, names, chains.get(entry.orgId)!));

  const rows = sealed.map(({ entry, hash }) => [...COLUMNS.map(([, , valueOf]) => valueOf(entry)), hash]);
  const heads = [...chains.values()];
  const ends = [heads.map(({ orgId }) => orgId), heads.map((chain) => chain.entries), heads.map(({ hash }) => hash)];
  await tx.query({ ...WRITE, values: [...columnsOf(rows, TYPES), ...ends] });
}

function seal(given: NewEntry, names: Map<string, string>, chain: Chain): { entry: AuditEntry; hash: Buffer } {
  const entry = { ...given, seq: chain.entries + 1, actorName: names.get(given.actorId ?? '') };
  const hash = sealOf(chain.hash, entry);
  Object.assign(chain, { entries: entry.seq, hash });
  return { entry, hash };
}

/** Returns the current names of the keys and the email addresses of the users. Entries store them, so later changes do not affect an entry. */
async function namesOf(entries: NewEntry[], orgIds: string[], tx: PoolClient): Promise<Map<string, string>> {
  const idsOf = (type: string): string[] => [
    ...new Set(entries.flatMap(({ actorType, actorId }) => (actorType === type && actorId ? [actorId] : []))),
  ];
  const [keys, users] = [idsOf('api_key'), idsOf('user')];
  if (keys.length + users.length === 0) return new Map();
  const { rows } = await tx.query<{ id: string; name: string }>({ ...NAMES, values: [orgIds, keys, users] });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
