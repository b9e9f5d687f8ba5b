import type { EmptyWorkspace } from './workspace-guard.js';

/** SQL with the workspace as $1 and the maximum number of rows as $2, or a function for work that one statement cannot do. */
export type PurgeStep = string | EmptyWorkspace;

/** Returns SQL that deletes rows of a workspace from `table`, which has an `id` and a `workspace_id`, where `condition` holds. */
export function deleteOfWorkspace(table: string, condition = 'true'): string {
  return `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE workspace_id = $1 AND ${condition} LIMIT $2)`;
}

/** Purges a workspace step by step. A batch ends after the first step that finds rows, so its transaction locks rows of one step only. */
export function purgeBySteps(...steps: readonly PurgeStep[]): EmptyWorkspace {
  return async (tx, workspaceId, limit) => {
    for (const step of steps) {
      const rows =
        typeof step === 'string'
          ? ((await tx.query(step, [workspaceId, limit])).rowCount ?? 0)
          : await step(tx, workspaceId, limit);
      if (rows > 0) return rows;
    }
    return 0;
  };
}
