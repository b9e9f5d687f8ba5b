/** Prisma's delegate of a model that is listed. */
interface Listed<Row> {
  findMany(args: object): PromiseLike<Row[]>;
}

interface Page {
  /** Default 50. */
  limit?: number;
  /** Default 0. */
  offset?: number;
}

interface Where {
  orgId: string;
  suspendedAt?: null;
}

const NEWEST_FIRST = { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] };

/** One page of an organization's rows, newest first. What stands before it is counted off in an index, no row is read. */
export async function newestFirst<Row extends { id: string }>(
  model: Listed<Row>,
  where: Where,
  { limit = 50, offset = 0 }: Page,
): Promise<Row[]> {
  if (offset === 0) return model.findMany({ where, ...NEWEST_FIRST, take: limit });
  const page = await model.findMany({ where, ...NEWEST_FIRST, take: limit, skip: offset, select: { id: true } });
  const id = { in: page.map((row) => row.id) };
  return model.findMany({ where: { orgId: where.orgId, id }, ...NEWEST_FIRST });
}
