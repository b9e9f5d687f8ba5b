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
import { type PoolClient } from 'pg';

const ASK_TIMEOUT_MS = 3_000;

/** An end user's connections are deleted with the end user, whatever their scope. */
const DELETE_CONNECTIONS = `
  DELETE FROM connections.connections WHERE id IN (
    SELECT id FROM connections.connections
    WHERE workspace_id = $1 AND (scope <> 'ORGANIZATION' OR end_user_record_id IS NOT NULL) LIMIT $2)
  RETURNING id, org_id`;
/** OAuth apps are deleted once no revocation needs them. */
const ABANDON_OAUTH_APPS = `
  UPDATE connections.oauth_apps SET abandoned_at = now() WHERE id IN (
    SELECT id FROM connections.oauth_apps WHERE workspace_id = $1 AND abandoned_at IS NULL LIMIT $2)`;
/** Secrets of a connection with a revocation that waits for them are deleted with the last trigger that uses it. */
const IS_NOT_HELD =
  'NOT EXISTS (SELECT FROM connections.revocations held WHERE held.id = source_secrets.connection_id)';
const FORGET_WORKSPACE = `
  UPDATE connections.connections SET workspace_id = NULL, updated_at = now() WHERE id IN (
    SELECT id FROM connections.connections WHERE workspace_id = $1 LIMIT $2)`;

/** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one; in a transaction, NOT_FOUND for a deleted one. */
export interface WorkspaceChecks extends Pick<WorkspaceGuard, 'requireNotDeleted'> {
  require(workspaceId: string): Promise<unknown>;
}

export function workspaceChecks(network: Network, { requireNotDeleted }: WorkspaceGuard): WorkspaceChecks {
  return { requireNotDeleted, require: lookUpWorkspace(network, { timeoutMs: ASK_TIMEOUT_MS }) };
}

const deleteConnections: EmptyWorkspace = async (tx, workspaceId, limit) => {
  const { rows } = await tx.query<Deleted>(DELETE_CONNECTIONS, [workspaceId, limit]);
  if (rows.length > 0) await announce(rows, tx);
  return rows.length;
};

/**
 * Deletes the data of a removed workspace; the organization's own connections stay. Connections are deleted in their own transactions, because these
 * lock the organization's total. Another deletion waits for that total while it locks a row of a later step.
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

interface Deleted {
  id: string;
  org_id: string;
}

async function announce(deleted: Deleted[], tx: PoolClient): Promise<void> {
  const events = deleted.map(({ id, org_id: orgId }) =>
    newEvent({ $case: 'connectionDeleted', value: { connectionId: id } }, { orgId }),
  );
  await insertEvents(tx, 'connections', events);
}

/** A changed plan takes effect everywhere within a second, and at once when its event arrives. */
const REMEMBER_MS = 900;

/** Returns what the plan of an organization allows. Calls members: use it outside of transactions. */
export type FindPlan = (orgId: string) => Promise<PlanLimits>;

export function plans(network: Network): FindPlan {
  const members = network.client('members', OrganizationServiceDefinition);
  return memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
}

/** Returns the function that finds an organization's colour for its mails: undefined without one, and while members is down. */
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
