import { type RetentionRule } from '@drawbridge/events';
import { oldDeliveries } from '@drawbridge/jobs';

/** Requests that could not be processed: their event is a dead letter for this long. */
export const OLD_INBOUND: RetentionRule = {
  table: 'triggers.inbound',
  key: 'id',
  oldest: 'received_at',
  expired: "received_at < now() - interval '7 days'",
};

/** Events of undelivered deliveries stay as long as the deliveries can be redelivered. */
export const OLD_EVENTS: RetentionRule = {
  table: 'triggers.events',
  key: 'id',
  oldest: 'created_at',
  expired: `created_at < now() - interval '37 days' AND NOT EXISTS (
    SELECT FROM triggers.deliveries WHERE event_id = events.id AND deliveries.org_id = events.org_id AND status <> 'success')`,
};

export const OLD_DELIVERIES: RetentionRule = oldDeliveries('triggers.deliveries');
