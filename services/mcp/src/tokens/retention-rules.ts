import { type RetentionRule } from '@drawbridge/events';

/** Expired tokens. */
export const OLD_TOKENS: RetentionRule = {
  table: 'mcp.tokens',
  key: 'id',
  oldest: 'expires_at',
  expired: "expires_at < now() - interval '1 day'",
};
