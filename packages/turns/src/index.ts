export { FairQueue } from './fair-queue.js';
export { type Release, QueueFullError, TenantLimiter, type TenantLimits } from './tenant-limiter.js';
