export { type Risk } from './find-risks.js';
export { newMigration, type NewMigration, type NewMigrationOptions } from './new-migration.js';
export { runPrisma, type PrismaResult } from './run-prisma.js';
