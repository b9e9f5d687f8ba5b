import { type EmptyWorkspace } from '@drawbridge/events';
import { SET_DISABLED } from './sources/set-disabled.js';

/** They go once the third party was told of it, or could not be: see unregister.ts. Nothing is told to them from here on. */
const DISABLE_SOURCES = `
  UPDATE triggers.sources SET ${SET_DISABLED}
  WHERE id IN (SELECT id FROM triggers.sources WHERE workspace_id = $1 AND status <> 'disabling' LIMIT $2)`;
const TABLES = ['deliveries', 'events'];

const DELETE_INBOUND = `
  DELETE FROM triggers.inbound WHERE id IN (
    SELECT inbound.id FROM triggers.sources JOIN triggers.inbound ON inbound.org_id = sources.org_id AND source_id = sources.id
    WHERE workspace_id = $1 LIMIT $2)`;

/** The vault deletes what it keeps of them itself. */
const DELETE_ENDED = `
  DELETE FROM triggers.sources WHERE id IN (
    SELECT id FROM triggers.sources WHERE workspace_id = $1 AND status = 'disabling' AND ended_at IS NOT NULL LIMIT $2)`;

const STATEMENTS = [
  DISABLE_SOURCES,
  DELETE_INBOUND,
  ...TABLES.map(
    (table) =>
      `DELETE FROM triggers.${table} WHERE id IN (SELECT id FROM triggers.${table} WHERE workspace_id = $1 LIMIT $2)`,
  ),
  DELETE_ENDED,
];

/** A workspace is gone: its sources are disabled, and what was told to them is gone, and what is still on its way. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  for (const statement of STATEMENTS) {
    const { rowCount } = await tx.query(statement, [workspaceId, limit]);
    if (rowCount) return rowCount;
  }
  return 0;
};
