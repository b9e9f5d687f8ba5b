import { type RetentionRule } from '@drawbridge/events';

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

/** Delivered, or given up: until then a dead letter can be sent again. */
export const OLD_DELIVERIES: RetentionRule = {
  table: 'triggers.deliveries',
  key: 'id',
  oldest: 'updated_at',
  expired: "updated_at < now() - interval '30 days'",
};
