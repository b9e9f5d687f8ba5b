import { type EmptyWorkspace } from '@drawbridge/events';

/** What is in a server before the server: its deletion then takes few rows with it. */
const TABLES = ['tokens', 'tools', 'servers'];

const STATEMENTS = TABLES.map(
  (table) => `DELETE FROM mcp.${table} WHERE id IN (SELECT id FROM mcp.${table} WHERE workspace_id = $1 LIMIT $2)`,
);

/** A workspace is gone: so are its servers, and what they hold. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  for (const statement of STATEMENTS) {
    const { rowCount } = await tx.query(statement, [workspaceId, limit]);
    if (rowCount) return rowCount;
  }
  return 0;
};
