import { ApiError, invalid } from '@drawbridge/contracts';
import { isKeptUrl } from '@drawbridge/egress';
import { type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type CreateConnectTokenRequest } from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { scopeProblems } from '../connection-scope.js';

/** Validates the request for a session and returns its piece. Throws VALIDATION_ERROR and INTEGRATION_NOT_FOUND. */
export function requireFacts(request: CreateConnectTokenRequest): Piece {
  const { successRedirectUri, errorRedirectUri, integrationName } = request;
  const problems = {
    ...scopeProblems(request),
    ...redirectProblems({ successRedirectUri, errorRedirectUri }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);

  const piece = findPiece(integrationName);
  if (!piece) throw new ApiError('INTEGRATION_NOT_FOUND', `Integration ${integrationName} not found`);
  if (!piece.auth) throw invalid({ integrationName: `${integrationName} uses no connection` });
  return piece;
}

/**
 * Returns the URIs to which a browser may not be redirected, by key. Other schemes, such as `javascript:`, are refused because a page of ours links
 * there.
 */
export function redirectProblems(uris: Record<string, string | undefined>): Record<string, string> {
  const wrong = Object.entries(uris).filter(([, uri]) => uri !== undefined && !isKeptUrl(uri));
  return Object.fromEntries(wrong.map(([key]) => [key, 'must be a whole http or https URL without credentials']));
}
