import { randomUUID } from 'node:crypto';
import { masked } from '@drawbridge/contracts';
import { type Database, toWire } from '@drawbridge/database';
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
    await expect(query()).rejects.toThrow(`Workspace.${name.split(',')[0]} does not name orgId`);
  });

  it('is refused where the organization is undefined, which would match all', async () => {
    const query = database.db.workspace.findMany({ where: { orgId: undefined } });
    await expect(query).rejects.toThrow('Workspace.findMany does not name orgId');
  });

  it('passes on what belongs to no organization, and where the guard is set aside', async () => {
    await expect(database.db.user.count()).resolves.toBe(0);
    await expect(database.unscoped.workspace.count()).resolves.toBeGreaterThanOrEqual(0);
  });
});

it('sees the rows of the organization that it names alone', async () => {
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
