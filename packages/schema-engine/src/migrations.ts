import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { withSchemaEngine } from './schema-engine.js';

/** Tables that packages create and migrate in the database of each service. */
const OF_PACKAGES = ['outbox', 'inbox', 'purged_workspaces', 'totals'];
export const FILTERS = { externalTables: OF_PACKAGES.map((table) => `public.${table}`), externalEnums: [] };

/**
 * For an empty database, Prisma adds this statement. It is removed, because a service creates its schema, which has another name, before its
 * migrations.
 */
const PUBLIC = '-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n';

/**
 * Returns the SQL that changes a database with the migrations of `prisma/migrations` to match `prisma/schema.prisma`, or undefined if they match.
 * Throws Prisma's error for an invalid schema or migration.
 */
export async function missingMigration(folder: string, url: string): Promise<string | undefined> {
  const path = join(folder, 'prisma/schema.prisma');
  const migrations = join(folder, 'prisma/migrations');
  const { exitCode, stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: existsSync(migrations) ? { tag: 'migrations', ...readMigrations(migrations) } : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [{ path, content: readFileSync(path, 'utf8') }] },
      script: true,
      exitCode: true,
      filters: FILTERS,
    }),
  );
  return exitCode === 0 ? undefined : `${(stdout ?? '').replace(PUBLIC, '').trim()}\n`;
}

/** Returns the migrations of a folder in the engine's format, in the order in which they are applied. */
export function readMigrations(baseDir: string): MigrationList {
  const lock = join(baseDir, 'migration_lock.toml');
  const folders = readdirSync(baseDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: existsSync(lock) ? readFileSync(lock, 'utf8') : null },
    shadowDbInitScript: '',
    migrationDirectories: folders
      .map(({ name: path }) => ({ path, migrationFile: { path: 'migration.sql', content: contentOf(baseDir, path) } }))
      .sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
}

function contentOf(baseDir: string, name: string) {
  return { tag: 'ok', value: readFileSync(join(baseDir, name, 'migration.sql'), 'utf8') } as const;
}
