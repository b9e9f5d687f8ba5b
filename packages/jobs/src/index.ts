export { attemptDelivery, type Noted } from './attempt-delivery.js';
export { deliverWebhook, requireDelivered, type WebhookDelivery } from './deliver-webhook.js';
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
export { type DeadJob, type Jobs, jobs, type JobsOptions, type Task } from './jobs.js';
export { judgeDelivery, type DeliveryResult } from './judge-delivery.js';
export { MAX_ATTEMPTS, retryDelay } from './retry-delay.js';
export { newWebhookSecret, signWebhook } from './sign-webhook.js';
export { query, type Queryable } from './statements.js';
