import { invalid } from '@drawbridge/contracts';
import { type Condition, fromIdCursor, scanPage, toWire } from '@drawbridge/database';
import {
  type AuditEntryList,
  type AuditLogQuery,
  type AuditLogServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type AuditEntry, ENTRY_COLUMNS } from './entry.js';
import { type Parts } from '../parts.js';

/**
 * Maximum difference, in milliseconds, between the time in the id of an entry and its `created_at`. They differ after a clock is set back, because
 * the time in new ids never decreases.
 */
const CLOCKS_DIFFER_MS = 60_000;
const EXPORTED_AT_ONCE = 1_000;

export const auditLog = ({ pool }: Parts): Implementation<AuditLogServiceDefinition> => ({
  listAuditEntries: ({ query = {} }) => pageOf(pool, query, query.limit ?? PageDefaults.limit),

  exportAuditLog: ({ query, cursor }) => pageOf(pool, { ...query, cursor }, EXPORTED_AT_ONCE),
});

async function pageOf(pool: Pool, query: AuditLogQuery, limit: number): Promise<AuditEntryList> {
  const after = query.cursor === undefined ? undefined : fromIdCursor(query.cursor);
  const scan = { table: 'members.audit_entries', columns: ENTRY_COLUMNS, ...conditionsOf(caller().orgId, query) };
  const { page, nextCursor } = await scanPage<AuditEntry>(pool, { ...scan, after, limit });
  return { entries: page.map(toEntry), nextCursor };
}

/**
 * Returns the conditions of a query. Each filter has an index that ends with the id. The query reads the index of the most selective filter, limited
 * to a range of ids, because ids are ordered by time. The other filters are applied to the rows that this index returns.
 */
function conditionsOf(orgId: string, query: AuditLogQuery): { indexed: Condition[]; filters: Condition[] } {
  const { workspaceId, actor, action, resourceType, resourceId } = query;
  const [from, to] = timesOf(query);
  const [first, ...others] = given([
    ['resource_id = ?::uuid', resourceId],
    ['actor_id = ?::uuid', actor],
    ['action = ?', action],
    ['workspace_id = ?::uuid', workspaceId],
    ['resource_type = ?', resourceType],
  ]);
  const range = given([
    ['id >= ?::uuid', from && firstIdAt(from.getTime() - CLOCKS_DIFFER_MS)],
    ['id < ?::uuid', to && firstIdAt(to.getTime() + CLOCKS_DIFFER_MS)],
  ]);
  const times = given([
    ['created_at >= ?', from],
    ['created_at < ?', to],
  ]);
  const indexed: Condition[] = [['org_id = ?::uuid', orgId], ...(first ? [first] : []), ...range];
  return { indexed, filters: [...others, ...times] };
}

const given = (conditions: Condition[]): Condition[] => conditions.filter(([, value]) => value !== undefined);

/** Parses the times of a query. Throws VALIDATION_ERROR for a time that does not exist, such as the 31st of February. */
function timesOf({ from, to }: AuditLogQuery): (Date | undefined)[] {
  const given = Object.entries({ from, to }).flatMap(([key, text]) =>
    text === undefined ? [] : [[key, text] as const],
  );
  const wrong = given.filter(([, text]) => Number.isNaN(Date.parse(text)));
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map(([key]) => [key, 'must be a time'])));
  return [from, to].map((text) => (text === undefined ? undefined : new Date(text)));
}

/** Returns the smallest UUIDv7 of a time in milliseconds (RFC 9562, 5.7). */
function firstIdAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const toEntry = ({ actorType, actorId, actorName, ...row }: AuditEntry): AuditEntryList['entries'][number] => ({
  ...toWire(row),
  actor: { type: actorType, ...toWire({ id: actorId, name: actorName }) },
  resource: { type: row.resourceType, ...toWire({ id: row.resourceId, name: row.resourceName }) },
});
