import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingMigration } from './migrations.js';

export interface NewMigration {
  /** The path of the file that was written. */
  file: string;
  risks: Risk[];
}

export interface NewMigrationOptions {
  /** The folder of the service, which contains prisma/schema.prisma. */
  folder: string;
  /** A title in words, which becomes the end of the migration's name. */
  title: string;
  /** A PostgreSQL server on which the existing migrations can be replayed. */
  url: string;
  now: Date;
}

/**
 * Writes the changes from a database with all migrations to prisma/schema.prisma in prisma/migrations/<UTC stamp>_<title>/migration.sql. Returns
 * undefined if they match. Throws for a title without letters, and Prisma's error for an invalid schema.
 */
export async function newMigration({
  folder,
  title,
  url,
  now,
}: NewMigrationOptions): Promise<NewMigration | undefined> {
  const migrations = join(folder, 'prisma/migrations');
  const name = nameOf(title, now);
  const script = await missingMigration(folder, url);
  if (script === undefined) return undefined;

  await mkdir(migrations, { recursive: true });
  await requireNewest(migrations, name);
  await writeFile(join(migrations, 'migration_lock.toml'), 'provider = "postgresql"\n');
  const file = join(migrations, name, 'migration.sql');
  await mkdir(join(migrations, name));
  await writeFile(file, script);
  return { file, risks: findRisks(script) };
}

function nameOf(title: string, now: Date): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g);
  if (!words) throw new Error(`The title of a migration needs letters (got "${title}")`);
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${stamp}_${words.join('_')}`;
}

/** Throws if an existing migration has a later name, because migrations are applied in the order of their names. */
async function requireNewest(migrations: string, name: string): Promise<void> {
  const later = (await readdir(migrations)).find((other) => /^\d/.test(other) && other >= name);
  if (later) throw new Error(`Migration ${later} has a date in the future: check the clock of this machine`);
}

export interface Risk {
  /** The line of the migration. */
  sql: string;
  why: string;
}

const LOSES = 'loses what is stored there, and the previous version of the service still reads it';

/**
 * Patterns of risky statements, which Prisma writes on one line each, and how each statement can fail if rows exist and the previous version is
 * running.
 */
const RISKS: [pattern: RegExp, why: string][] = [
  [/\bDROP TABLE\b/, LOSES],
  [/\bDROP COLUMN\b/, LOSES],
  [/\bDROP TYPE\b/, LOSES],
  [/\bADD COLUMN\b(?!.*\bDEFAULT\b).*\bNOT NULL\b/, 'fails where rows exist: they would have no value'],
  [/\bSET NOT NULL\b/, 'fails where a row has no value, and refuses what the previous version writes'],
  [/\bSET DATA TYPE\b|\bALTER TYPE\b/, 'rewrites the table under a lock, and may fail on stored values'],
  [/\bCREATE UNIQUE INDEX\b/, 'fails where stored rows are equal'],
];

/** Returns the lines of a migration that must be reviewed. A table that the migration itself creates has no rows to lose. */
export function findRisks(script: string): Risk[] {
  const created = [...script.matchAll(/CREATE TABLE ("\w+")/g)].map((match) => `ON ${match[1]}(`);
  return script.split('\n').flatMap((line) => {
    const why = RISKS.find(([pattern]) => pattern.test(line))?.[1];
    if (!why || created.some((table) => line.includes(table))) return [];
    return [{ sql: line.trim(), why }];
  });
}
