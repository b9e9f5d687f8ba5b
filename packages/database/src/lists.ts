import { type Page, PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { totalName } from './totals.js';

/** A table that is listed: Prisma's delegates of its rows and of the `totals` that triggers keep. */
interface Table<Row> {
  rows: { findMany(args: object): PromiseLike<Row[]>; count(args: object): PromiseLike<number> };
  totals: { findUnique(args: object): PromiseLike<{ rows: number; suspended: number } | null> };
  /** As `totals` calls it. */
  name: string;
}

interface Scope {
  orgId: string;
  /** Of a table that is counted per workspace: those of this one. */
  workspaceId?: string;
  /** Of its rows only these. They are counted, so they must be few, or few of each in an index. */
  only?: object;
}

const NEWEST_FIRST = { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] };

/** One page of an organization's or a workspace's rows, newest first, and how many there are in all. */
export async function newestFirst<Row extends { id: string }>(
  table: Table<Row>,
  { orgId, workspaceId, only }: Scope,
  { includeSuspended = PageDefaults.includeSuspended, ...page }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const within = workspaceId === undefined ? only : { workspaceId };
  const where = { orgId, ...within, ...(includeSuspended ? {} : { suspendedAt: null }) };
  const of = totalName(table.name, workspaceId);
  const [rows, total] = await Promise.all([
    pageOf(table.rows, where, page),
    only ? table.rows.count({ where }) : totalOf(table.totals, { orgId, of }, includeSuspended),
  ]);
  return { rows, total };
}

async function totalOf(
  totals: Table<unknown>['totals'],
  orgId_of: { orgId: string; of: string },
  includeSuspended: boolean,
): Promise<number> {
  const found = await totals.findUnique({ where: { orgId_of } });
  // An organization that never had any has no totals.
  const { rows, suspended } = found ?? { rows: 0, suspended: 0 };
  return includeSuspended ? rows : rows - suspended;
}

/** What stands before the page is counted off in an index, no row is read. */
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
