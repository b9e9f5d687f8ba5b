import { cutText } from '@drawbridge/contracts';
import { type OAuth2Provider } from '@drawbridge/piece-kit';
import * as oauth from 'oauth4webapi';
import { type JudgedCallback, wantedScopes } from './authorization.js';
import { OAuthFault, OAuthRefusal } from './oauth-problem.js';
import { isFree, shownWords } from './secrets-in-text.js';
import { type AskedAnswer, type Asking, askToken } from './token-request.js';

/** What a provider granted, to be sealed. */
export interface TokenGrant {
  accessToken: string;
  refreshToken?: string;
  tokenType: string;
  /** Seconds from the answer. Absent: until it is refused. */
  expiresIn?: number;
  /** What was granted, which may be less than what was asked. */
  scope?: string;
  data: Record<string, string | number | boolean>;
}

const MAX_TOKEN_BYTES = 16 * 1024;
/** Of a code: what an error may be called (RFC 6749, 5.2), and a bit more. */
const CODE = /^[\w.:\-/ ]{1,100}$/;

/** Trades the code of a callback for tokens (RFC 6749, 4.1.3). Throws OAuthRefusal, and OAuthFault where it can't tell. */
export async function exchangeCode(
  asking: Asking,
  { callback, redirectUri, codeVerifier }: { callback: JudgedCallback; redirectUri: string; codeVerifier?: string },
): Promise<TokenGrant> {
  const secrets = [asking.app.clientSecret, callback.get('code') ?? '', codeVerifier ?? ''];
  const { as, client, auth, options, asked } = askToken(asking);
  return judge(asked, secrets, async () => {
    const verifier = codeVerifier ?? oauth.nopkce;
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      callback,
      redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(as, client, response);
  });
}

/**
 * Asks for another access token (RFC 6749, 6). A grant without a refresh token keeps the one it was asked with. Throws as
 * `exchangeCode` does.
 */
export async function refreshGrant(asking: Asking, refreshToken: string): Promise<TokenGrant> {
  const { provider, app } = asking;
  const { as, client, auth, options, asked } = askToken(asking);
  const additionalParameters: Record<string, string> = provider.scopeOnRefresh
    ? { scope: wantedScopes(provider, app) }
    : {};
  const grant = await judge(asked, [app.clientSecret, refreshToken], async () => {
    const response = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, {
      ...options,
      additionalParameters,
    });
    return oauth.processRefreshTokenResponse(as, client, response);
  });
  return { ...grant, refreshToken: grant.refreshToken ?? refreshToken };
}

/** The text to seal. Its lifetime stands beside it, by the database's clock. */
export function toStoredGrant({ accessToken, refreshToken, tokenType, scope, data }: TokenGrant): string {
  return JSON.stringify({ accessToken, refreshToken, tokenType, scope, data });
}

/** Whether a failed refresh says that the grant is dead, for good. */
export function isGrantRefused({ grantRefusedWhen = [] }: OAuth2Provider, error: unknown): error is OAuthRefusal {
  return error instanceof OAuthRefusal && ['invalid_grant', ...grantRefusedWhen].includes(error.code);
}

async function judge(
  asked: AskedAnswer,
  secrets: string[],
  ask: () => Promise<oauth.TokenEndpointResponse>,
): Promise<TokenGrant> {
  const tokens = await ask().catch((error: unknown) => {
    throw toProblem(error, secrets);
  });
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = tokens;
  if (![accessToken, refreshToken ?? ''].every(isSendable)) {
    throw new OAuthRefusal('invalid_response', 'The provider answered a token that no request can carry');
  }
  const { tokenType = 'Bearer', kept: data } = asked.answer!;
  return {
    accessToken,
    refreshToken,
    tokenType: cutText(tokenType, 100),
    expiresIn,
    scope: scope && cutText(scope, 10_000),
    data,
  };
}

/** Visible characters alone: anything else would be another header. */
function isSendable(token: string): boolean {
  return token.length <= MAX_TOKEN_BYTES && /^[\x21-\x7e]*$/.test(token);
}

function toProblem(error: unknown, secrets: string[]): unknown {
  if (error instanceof OAuthFault || error instanceof OAuthRefusal) return error;
  if (error instanceof oauth.ResponseBodyError) {
    const code = CODE.test(error.error) && isFree(error.error, secrets) ? error.error : 'invalid_response';
    return new OAuthRefusal(code, shownWords(error.error_description, secrets) ?? `The provider refused it: ${code}`);
  }
  if (error instanceof oauth.OperationProcessingError) {
    return new OAuthFault('invalid_response', 'The provider answered something other than tokens');
  }
  return error;
}
