import {
  deleteOfWorkspace,
  type EmptyWorkspace,
  type EventOf,
  purgeBySteps,
  type RetentionRule,
} from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** Expired tokens are deleted one day later; expired clients, refresh tokens and grants are deleted immediately. */
export const EXPIRING: RetentionRule[] = [
  expiring('mcp.tokens', "now() - interval '1 day'"),
  ...['mcp.oauth_clients', 'mcp.oauth_refresh_tokens', 'mcp.oauth_grants'].map((table) => expiring(table, 'now()')),
];

function expiring(table: string, since: string): RetentionRule {
  return { table, key: 'id', oldest: 'expires_at', expired: `expires_at < ${since}` };
}

/**
 * Refresh tokens have no workspace column, so they are found by their grants. The number of grants per batch is limited, because each batch would
 * otherwise scan all of them again.
 */
const REFRESH_TOKENS = `
  DELETE FROM mcp.oauth_refresh_tokens WHERE id IN (
    SELECT theirs.id FROM (SELECT id FROM mcp.oauth_grants WHERE workspace_id = $1 LIMIT $2) AS allowed
    CROSS JOIN LATERAL (SELECT id FROM mcp.oauth_refresh_tokens WHERE grant_id = allowed.id LIMIT $2) AS theirs LIMIT $2)`;

/** Deletes the rows of a server before the server, so that deleting the server cascades to few rows. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  REFRESH_TOKENS,
  deleteOfWorkspace('mcp.tokens'),
  deleteOfWorkspace('mcp.oauth_grants'),
  deleteOfWorkspace('mcp.tools'),
  deleteOfWorkspace('mcp.servers'),
);

/** Increments the version of the affected servers, so that clients with cached offers request them again. */
const WITH_NEW_VERSION = (tools: string): string => `
  WITH changed AS (${tools} RETURNING server_id)
  UPDATE mcp.servers SET version = version + 1 WHERE org_id = $1 AND id IN (SELECT server_id FROM changed)`;

/** The tool still references its deleted connection, so that no other connection is used instead. */
const CUT_OFF = WITH_NEW_VERSION(`
  UPDATE mcp.tools SET is_cut_off = true, updated_at = now() WHERE org_id = $1 AND connection_id = $2`);
const REMOVE = WITH_NEW_VERSION('DELETE FROM mcp.tools WHERE org_id = $1 AND workspace_integration_id = $2');
/**
 * A tool's own alias is not changed. If the server already uses the new alias for another integration, the old alias is also not changed: the tool is
 * linked to its configured integration by id.
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
/** Deletes the grants to OAuth clients, and the tokens that were issued for them. */
const END_GRANTS = 'DELETE FROM mcp.oauth_grants WHERE org_id = $1 AND end_user_record_id = $2';
/**
 * The server still stores the externalId of the end user, but accepts no tokens for it. A later end user with the same externalId is a different end
 * user.
 */
const ORPHAN = `
  UPDATE mcp.servers SET end_user_record_id = NULL, static_token_hash = NULL, version = version + 1, updated_at = now()
  WHERE org_id = $1 AND end_user_record_id = $2`;

/** The handlers of the mcp service for the events of other services. */
export const consumers = {
  async connectionDeleted(events: EventOf<'connectionDeleted'>[], tx: PoolClient): Promise<void> {
    for (const { orgId, payload } of events) await tx.query(CUT_OFF, [orgId, payload.value.connectionId]);
  },

  async instanceDeleted(events: EventOf<'instanceDeleted'>[], tx: PoolClient): Promise<void> {
    for (const { orgId, payload } of events) await tx.query(REMOVE, [orgId, payload.value.workspaceIntegrationId]);
  },

  async instanceRenamed(events: EventOf<'instanceRenamed'>[], tx: PoolClient): Promise<void> {
    for (const { orgId, payload } of events) {
      const { workspaceIntegrationId, alias } = payload.value;
      await tx.query(RENAME, [orgId, workspaceIntegrationId, alias]);
    }
  },

  async partialDeleted(events: EventOf<'partialDeleted'>[], tx: PoolClient): Promise<void> {
    for (const { orgId, payload } of events) {
      const { workspaceId, partialId } = payload.value;
      await tx.query(FORGET_PARTIAL, [orgId, workspaceId, partialId]);
    }
  },

  async endUserDeleted(events: EventOf<'endUserDeleted'>[], tx: PoolClient): Promise<void> {
    for (const { orgId, payload } of events) {
      const { endUserId } = payload.value;
      // Locks the server before its rows, in the same order as issuing tokens does.
      await tx.query(ORPHAN, [orgId, endUserId]);
      await tx.query(END_GRANTS, [orgId, endUserId]);
      await tx.query(END_TOKENS, [orgId, endUserId]);
    }
  },
};
