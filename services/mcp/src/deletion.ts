import {
  deleteOfWorkspace,
  type EmptyWorkspace,
  type EventOf,
  type EventPayload,
  purgeBySteps,
  type RetentionRule,
} from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** Access tokens are deleted one day after they expire. Expired clients, refresh tokens and grants are deleted immediately. */
export const EXPIRING: RetentionRule[] = [
  expiring('mcp.tokens', "now() - interval '1 day'"),
  ...['mcp.oauth_clients', 'mcp.oauth_refresh_tokens', 'mcp.oauth_grants'].map((table) => expiring(table, 'now()')),
];

function expiring(table: string, since: string): RetentionRule {
  return { table, key: 'id', oldest: 'expires_at', expired: `expires_at < ${since}` };
}

/**
 * Refresh tokens have no workspace column, so they are found by their grants. Each batch reads a limited number of grants: otherwise every batch
 * would read all grants of the workspace again.
 */
const REFRESH_TOKENS = `
  DELETE FROM mcp.oauth_refresh_tokens WHERE id IN (
    SELECT theirs.id FROM (SELECT id FROM mcp.oauth_grants WHERE workspace_id = $1 LIMIT $2) AS allowed
    CROSS JOIN LATERAL (SELECT id FROM mcp.oauth_refresh_tokens WHERE grant_id = allowed.id LIMIT $2) AS theirs LIMIT $2)`;

/** Deletes a batch of a workspace's rows: those that belong to servers first, so that the deletion of a server cascades to few rows. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  REFRESH_TOKENS,
  deleteOfWorkspace('mcp.tokens'),
  deleteOfWorkspace('mcp.oauth_grants'),
  deleteOfWorkspace('mcp.tools'),
  deleteOfWorkspace('mcp.servers'),
);

/** Adds to a change of tools an increment of the version of their servers, so that gateways request their cached tools again. */
const WITH_NEW_VERSION = (tools: string): string => `
  WITH changed AS (${tools} RETURNING server_id)
  UPDATE mcp.servers SET version = version + 1 WHERE org_id = $1 AND id IN (SELECT server_id FROM changed)`;

/** Marks the tools of a deleted connection. They still reference it, so that their calls fail and do not use another connection instead. */
const CUT_OFF = WITH_NEW_VERSION(`
  UPDATE mcp.tools SET is_cut_off = true, updated_at = now() WHERE org_id = $1 AND connection_id = $2`);
const REMOVE = WITH_NEW_VERSION('DELETE FROM mcp.tools WHERE org_id = $1 AND workspace_integration_id = $2');
/**
 * Changes the alias of the tools of a renamed configured integration, except for an alias that was set for the tool. If the server already uses the
 * new alias for another integration, or for the same action, the tool retains its old alias: it refers to the configured integration by id.
 */
const RENAME = WITH_NEW_VERSION(`
  UPDATE mcp.tools renamed SET integration_alias = $3, updated_at = now()
  WHERE org_id = $1 AND workspace_integration_id = $2 AND integration_alias <> $3 AND NOT has_own_alias AND NOT EXISTS (
    SELECT FROM mcp.tools other WHERE other.server_id = renamed.server_id AND other.integration_alias = $3
      AND (other.integration_name <> renamed.integration_name OR other.action_name = renamed.action_name))`);
const FORGET_PARTIAL = WITH_NEW_VERSION(`
  UPDATE mcp.tools SET partial_ids = partial_ids - $3::text, updated_at = now()
  WHERE org_id = $1 AND workspace_id = $2 AND partial_ids ? $3::text`);
const END_TOKENS = 'DELETE FROM mcp.tokens WHERE org_id = $1 AND end_user_record_id = $2';
/** Deletes the grants of a deleted end user to OAuth clients. The deletion cascades to the tokens that were issued for them. */
const END_GRANTS = 'DELETE FROM mcp.oauth_grants WHERE org_id = $1 AND end_user_record_id = $2';
/**
 * Removes the deleted end user of a server, but not its externalId, so that the server accepts no tokens of any end user. A later end user with this
 * externalId is a different person.
 */
const ORPHAN = `
  UPDATE mcp.servers SET end_user_record_id = NULL, static_token_hash = NULL, version = version + 1, updated_at = now()
  WHERE org_id = $1 AND end_user_record_id = $2`;

/** Returns an event handler that executes statements for each event, with its organization and `valuesOf` the event as parameters. */
function execute<C extends EventPayload['$case']>(statements: string[], valuesOf: (event: EventOf<C>) => string[]) {
  return async (events: EventOf<C>[], tx: PoolClient): Promise<void> => {
    for (const event of events)
      for (const statement of statements) await tx.query(statement, [event.orgId, ...valuesOf(event)]);
  };
}

/** The handlers of the mcp service for the events of other services. */
export const consumers = {
  connectionDeleted: execute<'connectionDeleted'>([CUT_OFF], ({ payload: { value } }) => [value.connectionId]),
  instanceDeleted: execute<'instanceDeleted'>([REMOVE], ({ payload: { value } }) => [value.workspaceIntegrationId]),
  instanceRenamed: execute<'instanceRenamed'>([RENAME], ({ payload: { value } }) => [
    value.workspaceIntegrationId,
    value.alias,
  ]),
  partialDeleted: execute<'partialDeleted'>([FORGET_PARTIAL], ({ payload: { value } }) => [
    value.workspaceId,
    value.partialId,
  ]),
  // The first statement locks the servers, and the others their grants and tokens. Issuing tokens locks in this order, so no deadlock is possible.
  endUserDeleted: execute<'endUserDeleted'>([ORPHAN, END_GRANTS, END_TOKENS], ({ payload: { value } }) => [
    value.endUserId,
  ]),
};
