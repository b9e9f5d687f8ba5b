import { type RetentionRule } from '@drawbridge/events';
import { oldDeliveries } from '@drawbridge/jobs';

/** What nobody could look into: its event is a dead letter for so long. */
export const OLD_INBOUND: RetentionRule = {
  table: 'triggers.inbound',
  key: 'id',
  oldest: 'received_at',
  expired: "received_at < now() - interval '7 days'",
};

export const OLD_EVENTS: RetentionRule = {
  table: 'triggers.events',
  key: 'id',
  oldest: 'created_at',
  expired: "created_at < now() - interval '37 days'",
};

export const OLD_DELIVERIES: RetentionRule = oldDeliveries('triggers.deliveries');
