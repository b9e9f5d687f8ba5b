import { deleteOfWorkspace, type EmptyWorkspace, purgeBySteps, type RetentionRule } from '@drawbridge/events';
import { oldDeliveries } from '@drawbridge/jobs';

/** Deletes the policies, requests and deliveries of a removed workspace. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  deleteOfWorkspace('approvals.approval_policies'),
  deleteOfWorkspace('approvals.approval_requests'),
  deleteOfWorkspace('approvals.webhook_deliveries'),
);

/** Deletes requests that can no longer be decided. */
export const ENDED_REQUESTS: RetentionRule = {
  table: 'approvals.approval_requests',
  key: 'id',
  oldest: 'updated_at',
  expired: "status <> 'pending' AND updated_at < now() - interval '90 days'",
};

export const OLD_DELIVERIES: RetentionRule = oldDeliveries('approvals.webhook_deliveries');
