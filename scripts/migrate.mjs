// Runs `pnpm migrate <service> <title>`, which writes the migration that makes a service's database match its prisma/schema.prisma.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { compilePackages } from './build.mjs';
import { ROOT, step } from './step.mjs';

const [service, ...words] = process.argv.slice(2);
const services = readdirSync(join(ROOT, 'services')).filter((name) => existsSync(schemaOf(name)));
if (!services.includes(service) || words.length === 0) {
  console.error(`Usage: pnpm migrate <${services.join('|')}> <title>`);
  process.exit(1);
}

try {
  await step('Building the tools', () => compilePackages('packages/schema-engine', 'packages/postgres'));
  report(await withPostgres((url) => compare(url)));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function compare(url) {
  const { newMigration } = await import('../packages/schema-engine/dist/index.js');
  const folder = join(ROOT, 'services', service);
  return step(`Comparing the migrations of ${service} with its schema`, () =>
    newMigration({ folder, title: words.join(' '), url, now: new Date() }),
  );
}

/** Runs `work` with a temporary PostgreSQL server. The existing migrations are replayed on it. */
async function withPostgres(work) {
  const { startPostgres } = await import('../packages/postgres/dist/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'drawbridge-migrate-'));
  const server = await startPostgres({ dataDir });
  try {
    return await work(server.url);
  } finally {
    await server.discard();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function report(migration) {
  if (!migration) return console.log(`Nothing to migrate: the migrations of ${service} match its schema.`);
  console.log(`Wrote ${relative(ROOT, migration.file)}`);
  if (migration.risks.length === 0) return;
  console.log('\nLook again at:');
  for (const { sql, why } of migration.risks) console.log(`  ${sql}\n    ${why}`);
}

function schemaOf(name) {
  return join(ROOT, 'services', name, 'prisma/schema.prisma');
}
