export { type Condition, countScanned, scanPage, fromIdCursor, toIdPage } from './bounded-scan.js';
export { newestFirst } from './lists.js';
export { type ClientOptions, type Database, openDatabase, type PrismaClientLike } from './open.js';
export { lock, type LockingTransaction } from './lock.js';
export { poolMetrics } from './shared-pool.js';
export { lockQuota, requireQuota, requireRoom, resume, suspend } from './row-quota.js';
export { type CountedTable, totalsOf } from './totals.js';
export { toWire, type Wire } from './wire.js';
