export { type Risk } from './find-risks.js';
export { FILTERS, missingMigration, readMigrations } from './migrations.js';
export { newMigration, type NewMigration, type NewMigrationOptions } from './new-migration.js';
export { withSchemaEngine } from './schema-engine.js';
