export { FairQueue } from './fair-queue.js';
export { type PoolLimits, WorkerLimitError, type WorkerPool, workerPool } from './worker-pool.js';
export { QueueFullError, type Release, slotRefused, TenantLimiter, type TenantLimits } from './tenant-limiter.js';
