import { type RetentionRule } from '@drawbridge/events';

/** Deletes expired sessions, verifications and attempts. */
export const RETENTION: RetentionRule[] = [
  { table: 'members.sessions', key: 'id', oldest: 'expires_at', expired: 'expires_at < now()' },
  { table: 'members.verifications', key: 'id', oldest: 'expires_at', expired: 'expires_at < now()' },
  {
    table: 'members.attempts',
    key: 'key',
    oldest: 'expire',
    // Cast to the column's type, because PostgreSQL would not use the index for another type.
    expired: 'expire < (extract(epoch FROM now()) * 1000)::bigint',
  },
];
