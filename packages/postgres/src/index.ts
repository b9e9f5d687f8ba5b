export { type AbandonedDatabase, listAbandoned, removeAbandoned } from './abandoned.js';
export { startPostgres, type PostgresOptions, type RunningPostgres } from './start-postgres.js';
export { runningPostgres } from './runtime-file.js';
