import { randomUUID } from 'node:crypto';
import { masked } from '@drawbridge/contracts';
import { type Database, toWire } from '@drawbridge/database';
import { inTransaction } from '@drawbridge/events';
import { type CallContext, createLogger, runInContext } from '@drawbridge/rpc';
import { openServiceDatabase, temporaryDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { members } from './index.js';

let url: string;
let close: () => Promise<void>;
let database: Database<Db>;
const orgId = randomUUID();

beforeAll(async () => void ({ database, url, close } = await openServiceDatabase(members)));
afterAll(() => close());

function create(slug: string, more: { orgId?: string; suspendedAt?: Date } = {}) {
  return database.db.workspace.create({ data: { orgId, name: slug, slug, ...more } });
}

describe('a query that names no organization', () => {
  it.each([
    ['findMany', () => database.db.workspace.findMany()],
    ['findUnique', () => database.db.workspace.findUnique({ where: { id: randomUUID() } })],
    ['updateMany', () => database.db.workspace.updateMany({ data: { name: 'x' } })],
    ['deleteMany', () => database.db.workspace.deleteMany({ where: { name: 'x' } })],
    ['count', () => database.db.workspace.count()],
    ['aggregate', () => database.db.workspace.aggregate({ _count: true })],
    ['count, in a transaction', () => database.db.$transaction((tx) => tx.workspace.count())],
    ['findMany, in a batch', () => database.db.$transaction([database.db.workspace.findMany()])],
  ])('is refused: %s', async (name, query) => {
    await expect(query()).rejects.toThrow(`Workspace.${name.split(',')[0]} must filter by orgId`);
  });

  it('is refused where the organization is undefined, which would match all', async () => {
    const query = database.db.workspace.findMany({ where: { orgId: undefined } });
    await expect(query).rejects.toThrow('Workspace.findMany must filter by orgId');
  });

  it('allows models without an organization, and statements that bypass the guard', async () => {
    await expect(database.db.user.count()).resolves.toBe(0);
    await expect(database.unscoped.workspace.count()).resolves.toBeGreaterThanOrEqual(0);
  });
});

it('reads only rows of the named organization', async () => {
  await create('shared-slug');
  await create('shared-slug', { orgId: randomUUID() });

  const rows = await database.db.workspace.findMany({ where: { orgId, slug: 'shared-slug' } });
  expect(rows.map((row) => row.orgId)).toEqual([orgId]);
});

it('carries a stored row: times as ISO 8601 text, null as absent', async () => {
  const { createdAt, ...wire } = toWire(await create('on-the-wire'));
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(wire).toMatchObject({ orgId, slug: 'on-the-wire', suspendedAt: undefined });
});

it('resets a masked and absent field', async () => {
  const { id } = await create('masked', { suspendedAt: new Date() });
  const data = masked<{ suspendedAt?: null }>({ changes: {}, updateMask: ['suspendedAt'] }, ['suspendedAt']);
  const row = await database.db.workspace.update({ where: { id, orgId }, data });
  expect(row).toMatchObject({ suspendedAt: null, name: 'masked' });
});

it('is not ready while PostgreSQL is away', async () => {
  await expect(database.ready()).resolves.toBeUndefined();
  const gone = await temporaryDatabase(url);
  const other = await members.openDatabase(gone.url);
  await gone.drop();
  await expect(other.ready()).rejects.toThrow();
  await other.close();
});

const UNKNOWN = { code: 'INTERNAL', details: { reason: 'outcome_unknown', requestId: 'r-1' } };
const INSERT = `INSERT INTO members.workspaces (id, org_id, name, slug, updated_at)
  VALUES (gen_random_uuid(), $1, $2, $3, now())`;

function servingOf(mayChange: boolean): NonNullable<CallContext['serving']> {
  return { grant: 'none', mustAsk: false, mustBeNamed: false, mustRecord: false, mayChange, hasChanged: false };
}

describe('a call that was abandoned', () => {
  const contextOf = (changes: Partial<CallContext>): CallContext => ({
    ...{ requestId: 'r-1', from: 'gateway', deadline: Date.now() + 10_000, signal: new AbortController().signal },
    ...{ log: createLogger('members', 'silent'), ...changes },
  });
  const countOf = (slug: string): Promise<number> => database.db.workspace.count({ where: { orgId, slug } });

  it.each([
    ['its deadline passes', (context: CallContext) => (context.deadline = Date.now() - 1)],
    ['its caller goes', (_context: CallContext, caller: AbortController) => caller.abort()],
  ])('commits nothing where %s in the middle of its transaction', async (name, abandon) => {
    const caller = new AbortController();
    const context = contextOf({ signal: caller.signal });
    const change = runInContext(context, () =>
      database.db.$transaction(async (tx) => {
        await tx.workspace.create({ data: { orgId, name, slug: 'abandoned' } });
        abandon(context, caller);
      }),
    );
    await expect(change).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(await countOf('abandoned')).toBe(0);
  });

  it.each([
    ['a single statement', () => create('abandoned')],
    ['a raw statement', () => database.db.$executeRaw`DELETE FROM members.workspaces WHERE slug = 'abandoned'`],
    ['a transaction', () => database.unscoped.$transaction((tx) => tx.user.count())],
    ['a batch', () => database.db.$transaction([database.db.user.deleteMany()])],
  ])('begins no change after its deadline: %s', async (_, change) => {
    // Prisma starts a query only when the query is awaited.
    const late = runInContext(contextOf({ deadline: Date.now() - 1 }), async () => await change());
    await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(await countOf('abandoned')).toBe(0);
  });

  it('is outcome_unknown once it has changed something', async () => {
    const context = contextOf({ serving: servingOf(true) });
    const calls = runInContext(context, async () => {
      await create('changed');
      context.deadline = Date.now() - 1;
      await create('abandoned');
    });
    await expect(calls).rejects.toMatchObject(UNKNOWN);
    expect([await countOf('changed'), await countOf('abandoned')]).toEqual([1, 0]);
  });

  it('is outcome_unknown if the database disconnects during the commit', async () => {
    await database.pool.query(`
      CREATE FUNCTION members.end_session() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON members.workspaces DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.slug = 'lost-at-commit') EXECUTE FUNCTION members.end_session()`);
    const data = { orgId, name: 'lost', slug: 'lost-at-commit' };
    const changes: (() => Promise<unknown>)[] = [
      () => database.db.$transaction((tx) => tx.workspace.create({ data })),
      () => database.db.$transaction([database.db.workspace.create({ data })]),
      async () => await database.db.workspace.create({ data }),
      async () => await database.unscoped.workspace.create({ data }),
      async () =>
        await database.db.$queryRaw`INSERT INTO members.workspaces (id, org_id, name, slug, updated_at)
          VALUES (gen_random_uuid(), ${orgId}::uuid, ${data.name}, ${data.slug}, now()) RETURNING id`,
      () => inTransaction(database.pool, (tx) => tx.query(INSERT, [orgId, data.name, data.slug])),
    ];
    for (const change of changes) {
      await expect(runInContext(contextOf({}), change)).rejects.toMatchObject(UNKNOWN);
      await expect(runInContext(contextOf({ serving: servingOf(false) }), change)).rejects.not.toMatchObject(UNKNOWN);
      await expect(change()).rejects.not.toMatchObject(UNKNOWN);
    }
    for (let asked = 0; asked < 20; asked += 1) await countOf('lost-at-commit'); // Verifies that the pool contains no broken connection.
  });
});
