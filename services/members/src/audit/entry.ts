import { createHash } from 'node:crypto';

/** A row of `audit_entries`, without its seal (the hash that links it to the previous entry). An absent value is hashed and stored as null. */
export interface AuditEntry {
  orgId: string;
  seq: number;
  id: string;
  workspaceId?: string | null;
  actorType: string;
  actorId?: string | null;
  actorName?: string | null;
  action: string;
  resourceType: string;
  resourceId?: string | null;
  resourceName?: string | null;
  outcome: string;
  reason?: string | null;
  requestId: string;
  address?: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  createdAt: string;
}

/** The hash at the beginning of each chain, before the first entry. */
export const FIRST_SEAL = Buffer.alloc(32);

/** Returns an id in lower case, as the database returns it. The hash must be computed from this form, but a caller may send an id in upper case. */
const asStored = (id: string | null | undefined): string | null => id?.toLowerCase() ?? null;

/**
 * The columns in the order in which they are hashed and written. Add a new column at the end, and hash it only if it is not null, so that the hashes
 * of existing entries stay valid.
 */
export const COLUMNS = [
  ['org_id', 'uuid', (entry: AuditEntry) => asStored(entry.orgId)],
  ['seq', 'bigint', (entry: AuditEntry) => entry.seq],
  ['id', 'uuid', (entry: AuditEntry) => asStored(entry.id)],
  ['workspace_id', 'uuid', (entry: AuditEntry) => asStored(entry.workspaceId)],
  ['actor_type', 'text', (entry: AuditEntry) => entry.actorType],
  ['actor_id', 'uuid', (entry: AuditEntry) => asStored(entry.actorId)],
  ['actor_name', 'text', (entry: AuditEntry) => entry.actorName],
  ['action', 'text', (entry: AuditEntry) => entry.action],
  ['resource_type', 'text', (entry: AuditEntry) => entry.resourceType],
  ['resource_id', 'uuid', (entry: AuditEntry) => asStored(entry.resourceId)],
  ['resource_name', 'text', (entry: AuditEntry) => entry.resourceName],
  ['outcome', 'text', (entry: AuditEntry) => entry.outcome],
  ['reason', 'text', (entry: AuditEntry) => entry.reason],
  ['request_id', 'text', (entry: AuditEntry) => entry.requestId],
  ['address', 'text', (entry: AuditEntry) => entry.address],
  ['created_at', 'timestamptz', (entry: AuditEntry) => entry.createdAt],
] as const;

/**
 * Returns the SHA-256 of the previous hash and the entry. To change one entry unnoticed, an attacker must therefore change all later entries and the
 * head of the chain.
 */
export function sealOf(previous: Uint8Array, entry: AuditEntry): Buffer {
  const text = JSON.stringify(COLUMNS.map(([, , valueOf]) => valueOf(entry)));
  return createHash('sha256').update(previous).update(text).digest();
}

/**
 * SQL that returns `created_at` as ISO 8601. Returns `never` outside of this range, because the format contains no era: a manipulated year 2026 BC
 * would be read as 2026 and pass the verification.
 */
const TIME = `CASE WHEN created_at BETWEEN 'epoch' AND '9999-12-31'
  THEN to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ELSE 'never' END`;

const asText = (column: string): string => (column === 'created_at' ? TIME : column);

/** SQL that selects the columns of a row in the form of `AuditEntry`, except that PostgreSQL returns the bigint `seq` as text. */
export const ENTRY_COLUMNS = COLUMNS.map(([column]) => `${asText(column)} AS "${inCamels(column)}"`).join(', ');

function inCamels(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
