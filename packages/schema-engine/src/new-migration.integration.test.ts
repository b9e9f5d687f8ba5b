import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabaseServer } from '@drawbridge/testkit';
import { newMigration } from './new-migration.js';

const HAND_WRITTEN = `
CREATE INDEX "notes_unread" ON "notes"("id") WHERE "text" IS NULL;
CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 1; END $$;
`;

let server: Awaited<ReturnType<typeof startDatabaseServer>>;
let folder: string;

beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server.stop());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-schema-'));
  mkdirSync(join(folder, 'prisma'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function writeNotes(...fields: string[]): void {
  const model = ['model Note {', '  id Int @id', ...fields, '  @@map("notes")', '}'].join('\n');
  writeFileSync(join(folder, 'prisma/schema.prisma'), `datasource db {\n  provider = "postgresql"\n}\n${model}\n`);
}

const migrate = (title: string, now: string) =>
  newMigration({ folder, title, url: server.url, now: new Date(`${now}T08:30:00Z`) });

it('writes a dated file with the difference between the schema and the migrations', async () => {
  writeNotes('text String?');
  const first = await migrate('Notes, at last!', '2026-01-01');

  const file = join(folder, 'prisma/migrations/20260101083000_notes_at_last/migration.sql');
  expect(first).toEqual({ file, risks: [] });
  expect(readFileSync(file, 'utf8')).toMatch(/^-- CreateTable\nCREATE TABLE "notes"/);
});

it('writes nothing if they agree, and ignores manual additions that a schema cannot express', async () => {
  writeNotes('text String?');
  const first = await migrate('notes', '2026-01-01');
  appendFileSync(first?.file ?? '', HAND_WRITTEN);

  expect(await migrate('again', '2026-01-02')).toBeUndefined();
});

it('marks statements that can fail or lose rows', async () => {
  writeNotes('text String?');
  await migrate('notes', '2026-01-01');
  writeNotes('title String');

  const second = await migrate('titles', '2026-01-02');
  expect(second?.risks.map(({ sql }) => sql)).toEqual([
    expect.stringContaining('DROP COLUMN "text"'),
    expect.stringContaining('ADD COLUMN     "title" TEXT NOT NULL'),
  ]);
});

it('refuses a date before the last migration, which would run out of order', async () => {
  writeNotes('text String?');
  await migrate('notes', '2026-01-02');
  writeNotes();

  await expect(migrate('earlier', '2026-01-01')).rejects.toThrow('20260102083000_notes has a date in the future');
});

it('reports the errors of a schema', async () => {
  writeNotes('text Strin');
  await expect(migrate('notes', '2026-01-01')).rejects.toThrow('Type "Strin" is neither a built-in type');
});

it('refuses a title without letters', async () => {
  writeNotes();
  await expect(migrate(' - ', '2026-01-01')).rejects.toThrow('The title of a migration needs letters');
});
