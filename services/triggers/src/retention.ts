import { deleteOfWorkspace, type EmptyWorkspace, purgeBySteps, type RetentionRule } from '@drawbridge/events';
import { oldDeliveries } from '@drawbridge/jobs';
import { SET_DISABLED } from './sources/disable-source.js';

/** Deletes received requests that could not be processed for a week, because the consumer of their event failed each time. */
export const OLD_INBOUND: RetentionRule = {
  table: 'triggers.inbound',
  key: 'id',
  oldest: 'received_at',
  expired: "received_at < now() - interval '7 days'",
};

/** Deletes old events. Events of undelivered deliveries are stored as long as the deliveries, because they can be redelivered. */
export const OLD_EVENTS: RetentionRule = {
  table: 'triggers.events',
  key: 'id',
  oldest: 'created_at',
  expired: `created_at < now() - interval '37 days' AND NOT EXISTS (
    SELECT FROM triggers.deliveries WHERE event_id = events.id AND deliveries.org_id = events.org_id AND status <> 'success')`,
};

export const OLD_DELIVERIES: RetentionRule = oldDeliveries('triggers.deliveries');

/**
 * Disables the sources of a workspace, so that they receive no events. unregister-source.ts deletes them after it has unregistered them at the
 * provider or has given up.
 */
const DISABLE_SOURCES = `
  UPDATE triggers.sources SET ${SET_DISABLED}
  WHERE id IN (SELECT id FROM triggers.sources WHERE workspace_id = $1 AND status <> 'disabling' LIMIT $2)`;

const DELETE_INBOUND = `
  DELETE FROM triggers.inbound WHERE id IN (
    SELECT inbound.id FROM triggers.sources JOIN triggers.inbound ON inbound.org_id = sources.org_id AND source_id = sources.id
    WHERE workspace_id = $1 LIMIT $2)`;

/** Disables the sources of a deleted workspace and deletes their events and deliveries. The connections service deletes their secrets. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  DISABLE_SOURCES,
  DELETE_INBOUND,
  deleteOfWorkspace('triggers.deliveries'),
  deleteOfWorkspace('triggers.events'),
  deleteOfWorkspace('triggers.sources', "status = 'disabling' AND ended_at IS NOT NULL"),
);
