export { listAbandoned, removeAbandoned } from './abandoned.js';
export { startPostgres } from './start-postgres.js';
export { runningPostgres } from './lock.js';
