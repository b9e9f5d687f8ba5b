import { type McpServerAuth } from '@drawbridge/proto/drawbridge/mcp/v1/server';

/** What decides how agents may sign in. */
export interface AuthFacts {
  authMode: string;
  endUserId: string | null;
  /** null, beside an endUserId: that end user is gone. */
  endUserRecordId: string | null;
  /** Under which a bearer may name nobody. */
  shareId: string | null;
}

export const isOAuthEnabled = ({ authMode }: Pick<AuthFacts, 'authMode'>): boolean =>
  authMode === 'oauth' || authMode === 'oauth_and_bearer';

export const isBearerEnabled = ({ authMode }: Pick<AuthFacts, 'authMode'>): boolean =>
  authMode === 'bearer' || authMode === 'oauth_and_bearer';

/** Whether there may be a bearer that names nobody: the server does, or nobody needs to be named. */
export function isStaticBearerEnabled(facts: AuthFacts): boolean {
  const isSafe = facts.endUserId === null ? facts.shareId !== null : facts.endUserRecordId !== null;
  return isBearerEnabled(facts) && isSafe;
}

export function authOf(facts: AuthFacts): McpServerAuth {
  const bearerEnabled = isBearerEnabled(facts);
  return {
    oauthEnabled: isOAuthEnabled(facts),
    bearerEnabled,
    staticBearerEnabled: isStaticBearerEnabled(facts),
    endUserBearerTokensEnabled: bearerEnabled,
    // Of one kind or the other there is always one.
    accessTokensEnabled: true,
  };
}
