import { deleteOfWorkspace, type EmptyWorkspace, purgeBySteps } from '@drawbridge/events';
import { SET_DISABLED } from './sources/set-disabled.js';

/** unregister.ts deletes the sources after it has unregistered them at the provider, or has given up. From here on they receive nothing. */
const DISABLE_SOURCES = `
  UPDATE triggers.sources SET ${SET_DISABLED}
  WHERE id IN (SELECT id FROM triggers.sources WHERE workspace_id = $1 AND status <> 'disabling' LIMIT $2)`;

const DELETE_INBOUND = `
  DELETE FROM triggers.inbound WHERE id IN (
    SELECT inbound.id FROM triggers.sources JOIN triggers.inbound ON inbound.org_id = sources.org_id AND source_id = sources.id
    WHERE workspace_id = $1 LIMIT $2)`;

/** Disables the sources of a removed workspace and deletes their events and deliveries. The vault deletes their secrets. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  DISABLE_SOURCES,
  DELETE_INBOUND,
  deleteOfWorkspace('triggers.deliveries'),
  deleteOfWorkspace('triggers.events'),
  deleteOfWorkspace('triggers.sources', "status = 'disabling' AND ended_at IS NOT NULL"),
);
