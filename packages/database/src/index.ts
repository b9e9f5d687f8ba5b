export { type Condition, countScanned, MAX_SCANNED, scanPage } from './bounded-scan.js';
export { fromIdCursor, toIdPage } from './id-cursor.js';
export { newestFirst } from './lists.js';
export { type ClientOptions, type Database, openDatabase, type PrismaClientLike } from './open.js';
export { lock, type LockingTransaction } from './lock.js';
export { lockQuota, requireQuota, requireRoom } from './quota.js';
export { resume, suspend } from './suspension.js';
export { type CountedTable, totalsOf } from './totals.js';
export { toWire, type Wire } from './wire.js';
