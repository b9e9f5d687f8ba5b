export { attemptDelivery, type Noted } from './attempt-delivery.js';
export { deliverWebhook, type TimedResult } from './deliver-webhook.js';
export {
  begunDelivery,
  deadDelivery,
  type Enqueue,
  notedDelivery,
  oldDeliveries,
  openDelivery,
  type Wanted,
} from './delivery-rows.js';
export { JobFailure } from './job-failure.js';
export { Claimer, type Search, type Wishes } from './claimer.js';
export { CircuitBreaker } from './circuit-breaker.js';
export { jobs, type Task } from './jobs.js';
export { type DeliveryResult } from './judge-delivery.js';
export { retryDelay } from './retry-delay.js';
export { newWebhookSecret, signWebhook } from './sign-webhook.js';
export { type Share, type Target } from './organization-slots.js';
export { Listener } from './listen.js';
export { findReady, query, type Queryable } from './statements.js';
export { type JobContext } from './attempt-and-retry.js';
