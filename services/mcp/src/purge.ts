import { deleteOfWorkspace, type EmptyWorkspace, purgeBySteps } from '@drawbridge/events';

/** Refresh tokens have no workspace column, but their grants do. The batch of grants is limited, because each batch would scan all of them again. */
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
