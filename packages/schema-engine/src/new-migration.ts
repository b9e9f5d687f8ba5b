import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRisks, type Risk } from './find-risks.js';
import { missingMigration } from './migrations.js';

export interface NewMigration {
  /** The file that was written. */
  file: string;
  risks: Risk[];
}

export interface NewMigrationOptions {
  /** The service's folder, with prisma/schema.prisma. */
  folder: string;
  /** In words; becomes the end of the migration's name. */
  title: string;
  /** A PostgreSQL server on which the migrations so far may be replayed. */
  url: string;
  now: Date;
}

/**
 * Writes what brings a database with all migrations to prisma/schema.prisma: prisma/migrations/<UTC stamp>_<title>/migration.sql.
 * Returns nothing when they agree already. Throws for a title without letters, and Prisma's words for a wrong schema.
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
  if (!words) throw new Error(`A migration's title has letters; "${title}" has none`);
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${stamp}_${words.join('_')}`;
}

/** Migrations apply in the order of their names. */
async function requireNewest(migrations: string, name: string): Promise<void> {
  const later = (await readdir(migrations)).find((other) => /^\d/.test(other) && other >= name);
  if (later) throw new Error(`Migration ${later} is dated later than now: check this machine's clock`);
}
