import {
  authorizationHeader,
  tokenPaging,
  type HttpDefaults,
  type OAuth2Provider,
  type Paging,
} from '@drawbridge/piece-kit';

/** Returns the OAuth settings of a Google piece with these scopes: https://developers.google.com/identity/protocols/oauth2/web-server */
export const googleOAuth = (...scopes: string[]): OAuth2Provider => ({
  authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  scopes: scopes.map((scope) => `https://www.googleapis.com/auth/${scope}`),
  pkce: true,
  // Required to receive a refresh token. Refresh responses contain none, and the current refresh token stays valid. There is no `revoke`, because it
  // would also revoke all other grants of the user to the same app.
  authParams: { access_type: 'offline', prompt: 'consent' },
});

/**
 * Parses failures in Google's current format and in the older format with `errors`. The reason in the older format is more precise, because Calendar,
 * Drive and Gmail use 403 both for limits and for missing permissions: https://cloud.google.com/apis/design/errors
 */
export const googleHttp = {
  authorize: authorizationHeader,
  failure: { message: ['error.message'], code: ['error.errors.0.reason', 'error.status'] },
  rateLimit: {
    when: [
      { status: 403, code: 'rateLimitExceeded' },
      { status: 403, code: 'userRateLimitExceeded' },
    ],
    // Responses do not state how long to wait. Google recommends to start with one second:
    // https://developers.google.com/workspace/gmail/api/guides/handle-errors
    seconds: 1,
  },
} satisfies HttpDefaults;

/** Pages a list with its items at a dotted path. */
export const googlePaging = (items: string): Paging =>
  tokenPaging({ items, next: 'nextPageToken', param: 'pageToken' });

/** Pages with the whole responses as items, for lists that have the position of the next poll in the last response. */
export const wholePages: Paging = { ...googlePaging(''), items: (body) => [body] };

/** Matches an address as forms of browsers do: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
export const EMAIL = `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(\\.${LABEL})*$`;
export const MAX_EMAIL = 254;

/** The schema of a list of plain addresses. Names are not accepted, so that policies and Google evaluate the same recipients. */
export const EMAILS = {
  type: 'array',
  items: { type: 'string', pattern: EMAIL, maxLength: MAX_EMAIL },
  maxItems: 500,
} as const;
