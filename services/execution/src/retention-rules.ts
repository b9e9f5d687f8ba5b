import { olderThan, type RetentionRule } from '@drawbridge/events';
import { EMPTY_SPACES } from './state/purge-state.js';

/** Returns the retention rules of the execution service. Stored answers carry their own expiry: 24 hours. */
export function retentionRules(runLogDays: number): RetentionRule[] {
  const runs = { table: 'execution.executions', key: 'id', oldest: 'id', expired: olderThan(runLogDays, 'id') };
  const answers = {
    table: 'execution.claims',
    key: 'org_id, key',
    oldest: 'expires_at',
    expired: 'expires_at <= now()',
  };
  return [answers, runs, EMPTY_SPACES];
}
