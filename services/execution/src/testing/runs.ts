import { newId } from '@drawbridge/contracts';
import { type Pool, type PoolClient } from 'pg';
import { type Run } from '../run-log/record.js';
import { database } from './spaces.js';

export function newRun(changes: Partial<Run> = {}): Run {
  const [id, orgId] = [newId(), newId()];
  return {
    ...{ id, orgId, workspaceId: orgId, userId: orgId, requestId: 'r', inputJson: '{"a":[1,{"b":"c\\"d"}]}' },
    ...{ source: 'rest', integrationName: 'github', actionName: 'comment', createdAt: '2026-11-26T10:00:00.123Z' },
    ...changes,
  };
}

/** A database pool that counts statements, by their names. */
export function counting(): { pool: Pool; counts: Record<string, number> } {
  const counts: Record<string, number> = {};
  const pool = {
    query: (statement: { name: string; text: string }) => {
      counts[statement.name] = (counts[statement.name] ?? 0) + 1;
      return database.pool.query(statement);
    },
  };
  return { pool: pool as unknown as Pool, counts };
}

/** Runs `work` while a transaction deletes the workspace. `work` ends the transaction. */
export async function inDeletionOf(workspaceId: string, work: (tx: PoolClient) => Promise<void>): Promise<void> {
  const tx = await database.pool.connect();
  try {
    await tx.query('BEGIN');
    await tx.query('SELECT execution.bury_workspace($1::uuid)', [workspaceId]);
    await work(tx);
  } finally {
    tx.release(true); // A failed test leaves its transaction open.
  }
}
