import { invalid } from '@drawbridge/contracts';
import { fromIdCursor, toIdPage, toWire } from '@drawbridge/database';
import {
  type AuditEntryList,
  type AuditLogQuery,
  type AuditLogServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type AuditEntry, ENTRY_COLUMNS } from './entry.js';

/** What the time in an id may be away from that of the entry: a clock that is set back stands still in ids. */
const CLOCKS_DIFFER_MS = 60_000;
const EXPORTED_AT_ONCE = 1_000;

export const auditLog = (pool: Pool): Implementation<AuditLogServiceDefinition> => ({
  listAuditEntries: ({ query = {} }) => pageOf(pool, query, query.limit ?? PageDefaults.limit),

  exportAuditLog: ({ query, cursor }) => pageOf(pool, { ...query, cursor }, EXPORTED_AT_ONCE),
});

async function pageOf(pool: Pool, query: AuditLogQuery, limit: number): Promise<AuditEntryList> {
  const { where, values } = conditions(caller().orgId, query);
  const text = `SELECT ${ENTRY_COLUMNS} FROM members.audit_entries WHERE ${where} ORDER BY id DESC LIMIT ${limit + 1}`;
  const { rows } = await pool.query<AuditEntry>(text, values);
  const { page, nextCursor } = toIdPage(rows, limit);
  return { entries: page.map(toEntry), nextCursor };
}

/** Each filter is an equality on an index that goes on with the id, or a part of the ids: they are in order of time. */
function conditions(orgId: string, query: AuditLogQuery): { where: string; values: unknown[] } {
  const { workspaceId, actor, action, resourceType, resourceId, cursor } = query;
  const [from, to] = timesOf(query);
  const parts: [sql: string, value: unknown][] = [
    ['org_id = ?::uuid', orgId],
    ['workspace_id = ?::uuid', workspaceId],
    ['actor_id = ?::uuid', actor],
    ['action = ?', action],
    ['resource_type = ?', resourceType],
    ['resource_id = ?::uuid', resourceId],
    ['created_at >= ?', from],
    ['id >= ?::uuid', from && firstIdAt(from.getTime() - CLOCKS_DIFFER_MS)],
    ['created_at < ?', to],
    ['id < ?::uuid', to && firstIdAt(to.getTime() + CLOCKS_DIFFER_MS)],
    ['id < ?::uuid', cursor === undefined ? undefined : fromIdCursor(cursor)],
  ];
  const given = parts.filter(([, value]) => value !== undefined);
  const where = given.map(([sql], index) => sql.replace('?', `$${index + 1}`)).join(' AND ');
  return { where, values: given.map(([, value]) => value) };
}

/** Throws VALIDATION_ERROR on what is shaped like a time and is none: a 31st of February. */
function timesOf({ from, to }: AuditLogQuery): (Date | undefined)[] {
  const given = Object.entries({ from, to }).flatMap(([key, text]) =>
    text === undefined ? [] : [[key, text] as const],
  );
  const wrong = given.filter(([, text]) => Number.isNaN(Date.parse(text)));
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map(([key]) => [key, 'must be a time'])));
  return [from, to].map((text) => (text === undefined ? undefined : new Date(text)));
}

/** No UUIDv7 of that millisecond is smaller (RFC 9562, 5.7). */
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
