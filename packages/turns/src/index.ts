export { FairQueue } from './fair-queue.js';
export { LARGE_INPUTS, throwRefused, WorkerLimitError, type WorkerPool, workerPool } from './worker-pool.js';
export {
  type Load,
  QueueFullError,
  type Release,
  slotRefused,
  TenantLimiter,
  type TenantLimits,
} from './tenant-limiter.js';
