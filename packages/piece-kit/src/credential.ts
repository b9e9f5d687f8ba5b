import { type JsonObject, type JsonValue } from './json.js';

export type ConnectionType = Credential['type'];

/** The data of an opened connection that a piece may use for one run. Its tokens are already refreshed. */
export type Credential =
  | { type: 'SECRET_TEXT'; secretText: string }
  | { type: 'BASIC_AUTH'; username: string; password: string }
  | { type: 'CUSTOM_AUTH'; props: JsonObject }
  | { type: 'OAUTH2' | 'PLATFORM_OAUTH2'; accessToken: string; tokenType: string; data?: JsonObject };

/**
 * Returns the Authorization header that most APIs expect: Basic for a user and password (RFC 7617), Bearer for a key or token (RFC 6750). The token
 * type in the provider's token response is not used, because its spelling varies. Returns no header for CUSTOM_AUTH.
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
 * Describes a provider's differences from standard OAuth 2.0 (RFC 6749) as data, so that the flow needs no provider-specific code. The default of
 * each field is the standard behavior.
 */
export interface OAuth2Provider {
  authUrl: string;
  tokenUrl: string;
  scopes: readonly string[];
  scopeSeparator?: ' ' | ',';
  /** The name of the parameter for scopes. Slack uses `user_scope` for the scopes of a user's token. */
  scopeParam?: string;
  /** Additional parameters of the authorization request: `access_type=offline` and `prompt=consent` for Google, `audience` for Atlassian. */
  authParams?: Readonly<Record<string, string>>;
  /** Sends a code challenge (RFC 7636, S256). */
  pkce?: boolean;
  /** The expected `iss` of responses (RFC 9207). Default: any issuer at the origin of `authUrl`. */
  issuer?: string;
  /** The client authentication at the token endpoint. Default: `body`. */
  clientAuth?: 'body' | 'basic';
  /** The format of requests to the token endpoint. Default: `form`. Responses may have either format. */
  tokenBody?: 'form' | 'json';
  /** The dotted path of the tokens in the response, such as Slack's `authed_user`. */
  tokenAt?: string;
  /** A response with this value is a failure, whatever its status, such as Slack's `ok: false`. Its `error` contains the error code. */
  failedWhen?: { key: string; value: JsonValue };
  /** Values of the response to store in the connection's `data`. Maps each name to a dotted path. The values must not be secret. */
  keep?: Readonly<Record<string, string>>;
  /** The lifetime of an access token in seconds, if the response contains none. Default: the token is used until the provider rejects it. */
  expiresIn?: number;
  /** `none`: access tokens do not expire. `rotating`: each refresh token works once. Default: `standard`. */
  refresh?: 'none' | 'standard' | 'rotating';
  /** Sends the scopes again on refresh, as Microsoft requires. */
  scopeOnRefresh?: boolean;
  /** Error codes, in addition to `invalid_grant`, which mean that the refresh token is no longer valid. Other failures are retried. */
  grantRefusedWhen?: readonly string[];
  /** Set if each customer must use a separate OAuth app, because the operator's app cannot serve several customers. */
  tenantAppOnly?: boolean;
  revoke?: TokenRevocation;
}

/** The request that revokes a grant when its connection is deleted. Default: a `POST` of the token as a form (RFC 7009). */
export interface TokenRevocation {
  url: string;
  method?: 'POST' | 'DELETE';
  /** The token to send. Default: `refresh`, or the access token if there is no refresh token. */
  token?: 'access' | 'refresh';
  /** The parameter name of the token. Default: `token`. */
  tokenParam?: string;
  body?: 'form' | 'json';
  /** The authentication of the request: the client credentials as at the token endpoint, or the token itself. Default: `client`. */
  as?: 'client' | 'client-basic' | 'bearer';
}
