import { type EmptyWorkspace } from '@drawbridge/events';

/** What is in a server before the server: its deletion then takes few rows with it. */
const TABLES = ['tokens', 'oauth_grants', 'tools', 'servers'];

const STATEMENTS = TABLES.map(
  (table) => `DELETE FROM mcp.${table} WHERE id IN (SELECT id FROM mcp.${table} WHERE workspace_id = $1 LIMIT $2)`,
);

/** They name no workspace: what they are of does. */
const REFRESH_TOKENS = `
  DELETE FROM mcp.oauth_refresh_tokens WHERE id IN (
    SELECT id FROM mcp.oauth_refresh_tokens
    WHERE grant_id IN (SELECT id FROM mcp.oauth_grants WHERE workspace_id = $1) LIMIT $2)`;

/** A workspace is gone: so are its servers, and what they hold. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  for (const statement of [REFRESH_TOKENS, ...STATEMENTS]) {
    const { rowCount } = await tx.query(statement, [workspaceId, limit]);
    if (rowCount) return rowCount;
  }
  return 0;
};
