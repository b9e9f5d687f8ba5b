import { type EmptyWorkspace } from '@drawbridge/events';

/** What is in a server before the server: its deletion then takes few rows with it. */
const TABLES = ['tokens', 'oauth_grants', 'tools', 'servers'];

const STATEMENTS = TABLES.map(
  (table) => `DELETE FROM mcp.${table} WHERE id IN (SELECT id FROM mcp.${table} WHERE workspace_id = $1 LIMIT $2)`,
);

/** They name no workspace: what they are of does. Of a few at a time: who looked through all of it would do so again each time. */
const REFRESH_TOKENS = `
  DELETE FROM mcp.oauth_refresh_tokens WHERE id IN (
    SELECT theirs.id FROM (SELECT id FROM mcp.oauth_grants WHERE workspace_id = $1 LIMIT $2) AS allowed
    CROSS JOIN LATERAL (SELECT id FROM mcp.oauth_refresh_tokens WHERE grant_id = allowed.id LIMIT $2) AS theirs LIMIT $2)`;

/** A workspace is gone: so are its servers, and what they hold. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  for (const statement of [REFRESH_TOKENS, ...STATEMENTS]) {
    const { rowCount } = await tx.query(statement, [workspaceId, limit]);
    if (rowCount) return rowCount;
  }
  return 0;
};
