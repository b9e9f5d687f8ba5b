import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDatabaseServer } from '@drawbridge/testkit';
import { missingMigration } from './migrations.js';

const SERVICES = join(import.meta.dirname, '../../../services');
const services = readdirSync(SERVICES).filter((name) => existsSync(join(SERVICES, name, 'prisma')));

let server: Awaited<ReturnType<typeof startDatabaseServer>>;

beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server.stop());

describe('a database with all migrations', () => {
  it.each(services)('matches the schema of %s', async (service) => {
    expect(await missingMigration(join(SERVICES, service), server.url)).toBeUndefined();
  });
});
