import { cutText } from '@drawbridge/contracts';
import { type OAuth2Provider } from '@drawbridge/piece-kit';
import * as oauth from 'oauth4webapi';
import { type JudgedCallback, wantedScopes } from './authorization.js';
import { OAuthFault, OAuthRefusal } from './oauth-problem.js';
import { isFree, shownWords } from './secrets-in-text.js';
import { type AskedAnswer, type Asking, askToken } from './token-request.js';

/** A provider's grant, to be sealed. */
export interface TokenGrant {
  accessToken: string;
  refreshToken?: string;
  tokenType: string;
  /** Seconds from the answer. Absent: the token is used until it is refused. */
  expiresIn?: number;
  /** The granted scope, which may be less than the requested one. */
  scope?: string;
  data: Record<string, string | number | boolean>;
}

const MAX_TOKEN_BYTES = 16 * 1024;
/** The characters of an error code (RFC 6749, 5.2), and a few more. */
const CODE = /^[\w.:\-/ ]{1,100}$/;

/** Exchanges the code of a callback for tokens (RFC 6749, 4.1.3). Throws OAuthRefusal, and OAuthFault if the result is unknown. */
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

/** Requests a new access token (RFC 6749, 6). If the answer has no refresh token, the current one stays. Throws as `exchangeCode` does. */
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

/** Returns the text to seal. The lifetime is a column of its own, by the database's clock. */
export function toStoredGrant({ accessToken, refreshToken, tokenType, scope, data }: TokenGrant): string {
  return JSON.stringify({ accessToken, refreshToken, tokenType, scope, data });
}

/** Returns whether a failed refresh means that the grant is permanently invalid. */
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

/** Only visible ASCII: other characters could inject another header. */
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
