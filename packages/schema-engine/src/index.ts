export { newMigration } from './new-migration.js';
export { FILTERS, missingMigration, readMigrations } from './migrations.js';
export { withSchemaEngine } from './schema-engine.js';
