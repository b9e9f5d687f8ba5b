import { deleteOfWorkspace, type EmptyWorkspace, purgeBySteps } from '@drawbridge/events';

/** They name no workspace, but their grants do. Few grants at a time: to look through all of them would repeat that in each batch. */
const REFRESH_TOKENS = `
  DELETE FROM mcp.oauth_refresh_tokens WHERE id IN (
    SELECT theirs.id FROM (SELECT id FROM mcp.oauth_grants WHERE workspace_id = $1 LIMIT $2) AS allowed
    CROSS JOIN LATERAL (SELECT id FROM mcp.oauth_refresh_tokens WHERE grant_id = allowed.id LIMIT $2) AS theirs LIMIT $2)`;

/** Deletes what is in a server before the server, whose deletion then cascades to few rows. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  REFRESH_TOKENS,
  deleteOfWorkspace('mcp.tokens'),
  deleteOfWorkspace('mcp.oauth_grants'),
  deleteOfWorkspace('mcp.tools'),
  deleteOfWorkspace('mcp.servers'),
);
