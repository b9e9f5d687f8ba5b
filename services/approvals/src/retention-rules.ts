import { type RetentionRule } from '@drawbridge/events';

/** What nobody can decide any more. */
export const ENDED_REQUESTS: RetentionRule = {
  table: 'approvals.approval_requests',
  key: 'id',
  oldest: 'updated_at',
  expired: "status <> 'pending' AND updated_at < now() - interval '90 days'",
};

/** Delivered, or given up: until then a dead letter can be sent again. */
export const OLD_DELIVERIES: RetentionRule = {
  table: 'approvals.webhook_deliveries',
  key: 'id',
  oldest: 'updated_at',
  expired: "updated_at < now() - interval '30 days'",
};
