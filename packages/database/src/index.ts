export { newestFirst } from './lists.js';
export { type ClientOptions, type Database, openDatabase, type PrismaClientLike } from './open.js';
export { requireQuota } from './require-quota.js';
export { toWire, type Wire } from './wire.js';
