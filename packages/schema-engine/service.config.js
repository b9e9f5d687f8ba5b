import { defineConfig } from 'prisma/config';

const EVENT_TABLES = ['outbox', 'inbox', 'purged_workspaces'];

/** What Prisma's commands read in the folder of a service. The tables of packages/events are none of its schema. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
  experimental: { externalTables: true },
  tables: { external: EVENT_TABLES.map((table) => `public.${table}`) },
});
