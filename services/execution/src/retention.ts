import {
  deleteOfWorkspace,
  type EmptyWorkspace,
  olderThan,
  purgeBySteps,
  type RetentionRule,
} from '@drawbridge/events';
import { EMPTY_SPACES, emptyState } from './state/purge-state.js';

/**
 * Returns the retention rules of the execution service. Results of idempotency keys and stored programs have their own expiry, at the earliest after
 * 24 hours.
 */
export function retentionRules(runLogDays: number): RetentionRule[] {
  const expired = { oldest: 'expires_at', expired: 'expires_at <= now()' };
  const live = { key: 'id', oldest: 'id', expired: olderThan(1, 'id') };
  return [
    { ...expired, table: 'execution.claims', key: 'org_id, key' },
    { table: 'execution.executions', key: 'id', oldest: 'id', expired: olderThan(runLogDays, 'id') },
    { ...live, table: 'execution.running_executions' },
    { ...live, table: 'execution.console_lines' },
    { ...expired, table: 'execution.code_runs', key: 'id' },
    EMPTY_SPACES,
  ];
}

const DELETE_KEYS = `
  WITH old AS MATERIALIZED (SELECT org_id, key FROM execution.claims WHERE workspace_id = $1 LIMIT $2)
  DELETE FROM execution.claims USING old WHERE claims.org_id = old.org_id AND claims.key = old.key`;

/** Deletes the runs, the idempotency keys and the stored state of a deleted workspace. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  deleteOfWorkspace('execution.executions'),
  deleteOfWorkspace('execution.running_executions'),
  deleteOfWorkspace('execution.console_lines'),
  deleteOfWorkspace('execution.code_runs'),
  DELETE_KEYS,
  emptyState,
);
