import { type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** Those that hold what changed have another version: who keeps their offers asks for them again. */
const ANOTHER_VERSION = (tools: string): string => `
  WITH changed AS (${tools} RETURNING server_id)
  UPDATE mcp.servers SET version = version + 1 WHERE org_id = $1 AND id IN (SELECT server_id FROM changed)`;

/** It keeps asking for what is gone: no other connection is used in its place. */
const CUT_OFF = ANOTHER_VERSION(`
  UPDATE mcp.tools SET is_cut_off = true, updated_at = now() WHERE org_id = $1 AND connection_id = $2`);
const REMOVE = ANOTHER_VERSION('DELETE FROM mcp.tools WHERE org_id = $1 AND workspace_integration_id = $2');
/** A tool's own alias stays. An alias that the server has already for something else stays as it was: the tool is of its instance by the id. */
const RENAME = ANOTHER_VERSION(`
  UPDATE mcp.tools renamed SET integration_alias = $3, updated_at = now()
  WHERE org_id = $1 AND workspace_integration_id = $2 AND integration_alias <> $3 AND NOT has_own_alias AND NOT EXISTS (
    SELECT FROM mcp.tools other WHERE other.server_id = renamed.server_id AND other.integration_alias = $3
      AND (other.integration_name <> renamed.integration_name OR other.action_name = renamed.action_name))`);
const FORGET_PARTIAL = ANOTHER_VERSION(`
  UPDATE mcp.tools SET partial_ids = partial_ids - $3::text, updated_at = now()
  WHERE org_id = $1 AND workspace_id = $2 AND partial_ids ? $3::text`);
const END_TOKENS = 'DELETE FROM mcp.tokens WHERE org_id = $1 AND end_user_record_id = $2';
/** With what programs were allowed, and the tokens that came of it. */
const END_GRANTS = 'DELETE FROM mcp.oauth_grants WHERE org_id = $1 AND end_user_record_id = $2';
/** It stays theirs by name, and nobody is let in as them; whoever comes later by the same name is somebody else. */
const ORPHAN = `
  UPDATE mcp.servers SET end_user_record_id = NULL, static_token_hash = NULL, version = version + 1, updated_at = now()
  WHERE org_id = $1 AND end_user_record_id = $2`;

/** What mcp does with what others tell of. */
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
      // The server before what is in it, as whoever issues tokens locks them.
      await tx.query(ORPHAN, [orgId, endUserId]);
      await tx.query(END_GRANTS, [orgId, endUserId]);
      await tx.query(END_TOKENS, [orgId, endUserId]);
    }
  },
};
