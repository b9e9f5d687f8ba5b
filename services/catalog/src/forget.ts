import { type EventOf } from '@drawbridge/events';
import { type Db } from './database.js';

type Tables = Pick<Db, 'workspaceIntegration'>;

/** A workspace is gone: so is what it configured. */
export async function purgeWorkspaces(events: EventOf<'workspaceDeleted'>[], { workspaceIntegration }: Tables) {
  for (const { orgId, payload } of events) {
    await workspaceIntegration.deleteMany({ where: { orgId, workspaceId: payload.value.workspaceId } });
  }
}

/** A connection is gone: what used it has none until it is given another. */
export async function forgetConnections(events: EventOf<'connectionDeleted'>[], { workspaceIntegration }: Tables) {
  for (const { orgId, payload } of events) {
    const where = { orgId, connectionId: payload.value.connectionId };
    await workspaceIntegration.updateMany({ where, data: { connectionId: null } });
  }
}
