import {
  deleteOfWorkspace,
  type EmptyWorkspace,
  insertEvents,
  newEvent,
  purgeBySteps,
  type WorkspaceGuard,
} from '@drawbridge/events';
import { OrganizationServiceDefinition, type PlanLimits } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { isOutage, lookUpWorkspace, memoize, type Network } from '@drawbridge/rpc';
import { type FindLimit, planLimit } from '@drawbridge/service';

const ASK_TIMEOUT_MS = 3_000;

/** Deletes a batch of connections of a workspace. Connections of its end users are always deleted, even those with the scope ORGANIZATION. */
const DELETE_CONNECTIONS = `
  DELETE FROM connections.connections WHERE id IN (
    SELECT id FROM connections.connections
    WHERE workspace_id = $1 AND (scope <> 'ORGANIZATION' OR end_user_record_id IS NOT NULL) LIMIT $2)
  RETURNING id, org_id`;
/** Marks a batch of OAuth apps for deletion. They are deleted when no revocation of a grant needs them. */
const ABANDON_OAUTH_APPS = `
  UPDATE connections.oauth_apps SET abandoned_at = now() WHERE id IN (
    SELECT id FROM connections.oauth_apps WHERE workspace_id = $1 AND abandoned_at IS NULL LIMIT $2)`;
/**
 * Excludes secrets of connections with a grant that is not revoked yet. Unregistering the last trigger of the connection needs these secrets, and
 * deletes them.
 */
const IS_NOT_HELD =
  'NOT EXISTS (SELECT FROM connections.revocations held WHERE held.id = source_secrets.connection_id)';
const FORGET_WORKSPACE = `
  UPDATE connections.connections SET workspace_id = NULL, updated_at = now() WHERE id IN (
    SELECT id FROM connections.connections WHERE workspace_id = $1 LIMIT $2)`;

/**
 * Checks of a workspace. `require` throws NOT_FOUND for a workspace that does not belong to the caller and FORBIDDEN for a suspended workspace.
 * `requireNotDeleted` runs in a transaction and throws NOT_FOUND.
 */
export interface WorkspaceChecks extends Pick<WorkspaceGuard, 'requireNotDeleted'> {
  require(workspaceId: string): Promise<unknown>;
}

export function workspaceChecks(network: Network, { requireNotDeleted }: WorkspaceGuard): WorkspaceChecks {
  return { requireNotDeleted, require: lookUpWorkspace(network, { timeoutMs: ASK_TIMEOUT_MS }) };
}

const deleteConnections: EmptyWorkspace = async (tx, workspaceId, limit) => {
  const { rows } = await tx.query<{ id: string; org_id: string }>(DELETE_CONNECTIONS, [workspaceId, limit]);
  const events = rows.map(({ id, org_id: orgId }) =>
    newEvent({ $case: 'connectionDeleted', value: { connectionId: id } }, { orgId }),
  );
  if (events.length > 0) await insertEvents(tx, 'connections', events);
  return rows.length;
};

/**
 * Deletes the data of a deleted workspace. Connections with the scope ORGANIZATION remain. Connections are deleted in separate transactions, because
 * deleting them locks the row with the total of the organization. In one transaction with the later steps, a concurrent deletion that holds a row of
 * such a step and waits for the total would cause a deadlock.
 */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  deleteConnections,
  deleteOfWorkspace('connections.connect_sessions'),
  deleteOfWorkspace('connections.end_users'),
  deleteOfWorkspace('connections.email_proofs'),
  ABANDON_OAUTH_APPS,
  deleteOfWorkspace('connections.source_secrets', IS_NOT_HELD),
  deleteOfWorkspace('connections.data_keys'),
  FORGET_WORKSPACE,
);

/** Time, in milliseconds, for which plan limits are cached, so that a changed plan takes effect in every process within a second. */
const REMEMBER_MS = 900;

/** Returns the limits of an organization's plan. Calls the members service, so it must be called outside of transactions. */
export type FindPlan = (orgId: string) => Promise<PlanLimits>;

export function plans(network: Network): FindPlan {
  const members = network.client('members', OrganizationServiceDefinition);
  return memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
}

/** Returns a function that returns the color of an organization for its emails, or undefined if it has none or the members service is down. */
export function colors(network: Network): (orgId: string) => Promise<string | undefined> {
  const members = network.client('members', OrganizationServiceDefinition);
  return async (orgId) => {
    const brand = await members.getBrand({ orgId }).catch((error: unknown) => {
      if (isOutage(error)) return undefined;
      throw error;
    });
    return brand?.color;
  };
}

export function connectionLimit(findPlan: FindPlan): FindLimit {
  return planLimit(async (orgId) => {
    const { limits, planVersion: version } = await findPlan(orgId);
    return { allowed: limits?.connections ?? null, version };
  });
}
