import { type McpServerAuth } from '@drawbridge/proto/drawbridge/mcp/v1/server';

/** The fields that decide how agents authenticate. */
export interface AuthFacts {
  authMode: string;
  endUserId: string | null;
  /** Null beside an endUserId: that end user is deleted. */
  endUserRecordId: string | null;
  /** Catalog's permission for an anonymous bearer token; null: none. */
  shareId: string | null;
}

export const isOAuthEnabled = ({ authMode }: Pick<AuthFacts, 'authMode'>): boolean =>
  authMode === 'oauth' || authMode === 'oauth_and_bearer';

export const isBearerEnabled = ({ authMode }: Pick<AuthFacts, 'authMode'>): boolean =>
  authMode === 'bearer' || authMode === 'oauth_and_bearer';

/** Returns whether a static bearer token is allowed: the server names its end user, or catalog has allowed an anonymous token. */
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
    // Every authMode accepts one kind of token.
    accessTokensEnabled: true,
  };
}
