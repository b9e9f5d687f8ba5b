import { type RetentionRule } from '@drawbridge/events';

/** What signing in leaves behind, and until when. */
export const RETENTION: RetentionRule[] = [
  { table: 'members.sessions', key: 'id', oldest: 'expires_at', expired: 'expires_at < now()' },
  { table: 'members.verifications', key: 'id', oldest: 'expires_at', expired: 'expires_at < now()' },
  {
    table: 'members.attempts',
    key: 'key',
    oldest: 'expire',
    // Of the column's type: an index is not asked for another one.
    expired: 'expire < (extract(epoch FROM now()) * 1000)::bigint',
  },
];
