import { type EmptyWorkspace } from '@drawbridge/events';

/** Those that the rest hangs on last: what is found by them is gone before they are. */
const TABLES = ['deliveries', 'events', 'sources'];

const DELETE_INBOUND = `
  DELETE FROM triggers.inbound WHERE id IN (
    SELECT inbound.id FROM triggers.sources JOIN triggers.inbound ON source_id = sources.id WHERE workspace_id = $1 LIMIT $2)`;

const DELETES = [
  DELETE_INBOUND,
  ...TABLES.map(
    (table) =>
      `DELETE FROM triggers.${table} WHERE id IN (SELECT id FROM triggers.${table} WHERE workspace_id = $1 LIMIT $2)`,
  ),
];

/** A workspace is gone: so are its sources, what was told to them, and what is still on its way. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  for (const statement of DELETES) {
    const { rowCount } = await tx.query(statement, [workspaceId, limit]);
    if (rowCount) return rowCount;
  }
  return 0;
};
