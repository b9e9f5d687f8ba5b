import { type RetentionRule } from '@drawbridge/events';
import { oldDeliveries } from '@drawbridge/jobs';

/** What nobody can decide any more. */
export const ENDED_REQUESTS: RetentionRule = {
  table: 'approvals.approval_requests',
  key: 'id',
  oldest: 'updated_at',
  expired: "status <> 'pending' AND updated_at < now() - interval '90 days'",
};

export const OLD_DELIVERIES: RetentionRule = oldDeliveries('approvals.webhook_deliveries');
