import { type Page, PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { countsOf, totalName, type Totals } from './totals.js';

/** A table with a list, and the delegates of Prisma for its rows and for `totals`. */
interface Table<Row> {
  rows: { findMany(args: object): PromiseLike<Row[]>; count(args: object): PromiseLike<number> };
  totals: Totals;
  /** The name under which `totals` contains the counts of this table. */
  name: string;
}

/** A Prisma client or transaction. */
interface Queries {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T>;
}

/**
 * Selects rows of some workspaces. Each workspace is read through its own range of the index, because an index on the organization may first return
 * many rows of other workspaces.
 */
interface InWorkspaces {
  db: Queries;
  /** Schema-qualified table name. The table must have an index on (workspace_id, created_at, id). */
  table: string;
  ids: readonly string[];
}

interface Scope {
  orgId: string;
  /** Selects the rows of one workspace, in a table with totals per workspace. */
  workspaceId?: string;
  /** Selects rows by a Prisma condition. The rows are counted, so they must be few or indexed. */
  only?: object;
  /** Selects the rows of these workspaces. At most MAX_COUNTED rows are counted. */
  inWorkspaces?: InWorkspaces;
}

/** Maximum number of rows that are counted, because the cost of a count grows with the number of rows. */
const MAX_COUNTED = 10_000;
const NEWEST_FIRST = { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] };

/** Returns one page of the rows of an organization or a workspace, newest first, and their total. */
export async function newestFirst<Row extends { id: string }>(
  table: Table<Row>,
  { orgId, workspaceId, only, inWorkspaces }: Scope,
  { includeSuspended = PageDefaults.includeSuspended, ...page }: Page,
): Promise<{ rows: Row[]; total: number }> {
  if (inWorkspaces) {
    const { ids, total } = await idsIn(inWorkspaces, orgId, { ...page, includeSuspended });
    return { rows: await table.rows.findMany({ where: { orgId, id: { in: ids } }, ...NEWEST_FIRST }), total };
  }
  const within = workspaceId === undefined ? only : { workspaceId };
  const where = { orgId, ...within, ...(includeSuspended ? {} : { suspendedAt: null }) };
  const of = totalName(table.name, workspaceId);
  const [rows, total] = await Promise.all([
    pageOf(table.rows, where, page),
    only ? table.rows.count({ where }) : totalOf(table.totals, { orgId, of }, includeSuspended),
  ]);
  return { rows, total };
}

async function idsIn(
  { db, table, ids }: InWorkspaces,
  orgId: string,
  { limit = PageDefaults.limit, offset = PageDefaults.offset, includeSuspended }: Page,
): Promise<{ ids: string[]; total: number }> {
  const each = (rest: string): string => `unnest($1::uuid[]) AS workspace CROSS JOIN LATERAL (
    SELECT id, created_at FROM ${table} WHERE workspace_id = workspace AND org_id = $2::uuid
      ${includeSuspended ? '' : 'AND suspended_at IS NULL'} ${rest}) AS found`;
  const newest = 'ORDER BY created_at DESC, id DESC';
  const page = `SELECT id FROM ${each(`${newest} LIMIT $3::int + $4::int`)} ${newest} LIMIT $3::int OFFSET $4::int`;
  const count = `SELECT count(*)::int AS total FROM (SELECT FROM ${each('LIMIT $3::int')} LIMIT $3::int) AS counted`;
  const [rows, [counted]] = await Promise.all([
    db.$queryRawUnsafe<{ id: string }[]>(page, ids, orgId, limit, offset),
    db.$queryRawUnsafe<[{ total: number }]>(count, ids, orgId, MAX_COUNTED),
  ]);
  return { ids: rows.map(({ id }) => id), total: counted.total };
}

async function totalOf(totals: Totals, name: { orgId: string; of: string }, withSuspended: boolean): Promise<number> {
  const { rows, suspended } = await countsOf(totals, name);
  return withSuspended ? rows : rows - suspended;
}

/** Returns a page of rows. Skips the rows before the page by their ids in the index, without reading the rows themselves. */
async function pageOf<Row extends { id: string }>(
  model: Table<Row>['rows'],
  where: { orgId: string },
  { limit = PageDefaults.limit, offset = PageDefaults.offset }: Page,
): Promise<Row[]> {
  if (offset === 0) return model.findMany({ where, ...NEWEST_FIRST, take: limit });
  const page = await model.findMany({ where, ...NEWEST_FIRST, take: limit, skip: offset, select: { id: true } });
  const id = { in: page.map((row) => row.id) };
  return model.findMany({ where: { orgId: where.orgId, id }, ...NEWEST_FIRST });
}
