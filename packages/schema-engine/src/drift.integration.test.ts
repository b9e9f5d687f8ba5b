import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDatabaseServer } from '@drawbridge/testkit';
import { runPrisma } from './run-prisma.js';

const SERVICES = join(import.meta.dirname, '../../../services');
const services = readdirSync(SERVICES).filter((name) => existsSync(join(SERVICES, name, 'prisma')));

let server: Awaited<ReturnType<typeof startDatabaseServer>>;

beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server.stop());

describe('a database with all migrations', () => {
  it.each(services)('is what the schema of %s says', async (service) => {
    const ends = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
    const options = { folder: join(SERVICES, service), url: server.url };
    const { code, stdout } = await runPrisma(['migrate', 'diff', ...ends, '--script', '--exit-code'], options);
    expect({ code, missing: stdout.trim() }).toEqual({ code: 0, missing: '-- This is an empty migration.' });
  });
});
