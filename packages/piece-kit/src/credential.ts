import { type JsonObject, type JsonValue } from './json.js';

export type ConnectionType = Credential['type'];

/** The data of an opened connection that a piece may use for one run, already refreshed. */
export type Credential =
  | { type: 'SECRET_TEXT'; secretText: string }
  | { type: 'BASIC_AUTH'; username: string; password: string }
  | { type: 'CUSTOM_AUTH'; props: JsonObject }
  | { type: 'OAUTH2' | 'PLATFORM_OAUTH2'; accessToken: string; tokenType: string; data?: JsonObject };

/**
 * Returns the Authorization header that most APIs expect: Basic for a user and password (RFC 7617), Bearer for a key or token
 * (RFC 6750; the provider's own spelling of the token type varies and is not sent back). CUSTOM_AUTH has none.
 */
export function authorizationHeader(credential: Credential): Record<string, string> {
  switch (credential.type) {
    case 'SECRET_TEXT':
      return { authorization: `Bearer ${credential.secretText}` };
    case 'OAUTH2':
    case 'PLATFORM_OAUTH2':
      return { authorization: `Bearer ${credential.accessToken}` };
    case 'BASIC_AUTH':
      return { authorization: `Basic ${base64(`${credential.username}:${credential.password}`)}` };
    case 'CUSTOM_AUTH':
      return {};
    default:
      return credential satisfies never;
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/**
 * Describes a provider's differences from standard OAuth 2.0 (RFC 6749) as data, so that the flow needs no provider-specific code. An absent
 * field means the standard behaviour.
 */
export interface OAuth2Provider {
  authUrl: string;
  tokenUrl: string;
  scopes: readonly string[];
  scopeSeparator?: ' ' | ',';
  /** The parameter for the scopes: Slack uses `user_scope` for the scopes of a user's token. */
  scopeParam?: string;
  /** Further parameters of the authorization request: `access_type=offline` and `prompt=consent` at Google, `audience` at Atlassian. */
  authParams?: Readonly<Record<string, string>>;
  /** Sends a code challenge (RFC 7636, S256). */
  pkce?: boolean;
  /** The expected `iss` of responses (RFC 9207). Absent: any issuer at the origin of `authUrl`. */
  issuer?: string;
  /** The client authentication at the token endpoint; `body` if absent. */
  clientAuth?: 'body' | 'basic';
  /** The format of requests to the token endpoint; `form` if absent. Responses may use either format. */
  tokenBody?: 'form' | 'json';
  /** The dotted path of the tokens in the response: Slack's `authed_user`. */
  tokenAt?: string;
  /** A response with this value is a failure, whatever its status: Slack's `ok: false`. Its code is in `error`. */
  failedWhen?: { key: string; value: JsonValue };
  /** Values of the response to store in the connection's `data`: name to dotted path. They must not be secret. */
  keep?: Readonly<Record<string, string>>;
  /** The lifetime of an access token in seconds, if the response has none. Absent: it is valid until it is refused. */
  expiresIn?: number;
  /** `none`: access tokens do not expire; `rotating`: each refresh token works once; `standard` if absent. */
  refresh?: 'none' | 'standard' | 'rotating';
  /** Sends the scopes again on refresh: Microsoft requires it. */
  scopeOnRefresh?: boolean;
  /** Error codes, besides `invalid_grant`, that mean the refresh token is no longer valid. Other failures are retried. */
  grantRefusedWhen?: readonly string[];
  /** Each customer must use an OAuth app of its own: the operator's app cannot serve them. */
  tenantAppOnly?: boolean;
  revoke?: TokenRevocation;
}

/** The request that revokes a grant when its connection is deleted; by default a `POST` of the token as a form (RFC 7009). */
export interface TokenRevocation {
  url: string;
  method?: 'POST' | 'DELETE';
  /** The token to send; `refresh` if absent. Without a refresh token, the access token. */
  token?: 'access' | 'refresh';
  /** The parameter name of the token; `token` if absent. */
  tokenParam?: string;
  body?: 'form' | 'json';
  /** The authentication of the request: the client as at the token endpoint, or the token itself; `client` if absent. */
  as?: 'client' | 'client-basic' | 'bearer';
}
