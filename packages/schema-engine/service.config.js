import { defineConfig } from 'prisma/config';

const OF_PACKAGES = ['outbox', 'inbox', 'purged_workspaces', 'totals'];

/** What Prisma's commands read in the folder of a service. The tables of packages are migrated by these. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
  experimental: { externalTables: true },
  tables: { external: OF_PACKAGES.map((table) => `public.${table}`) },
});
