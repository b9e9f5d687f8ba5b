import type { JsonValue } from './json.js';

/**
 * How a provider's OAuth 2.0 (RFC 6749) differs from its neighbours', as data: the flow has no branch for anybody. What is absent is
 * as the standard says.
 */
export interface OAuth2Provider {
  authUrl: string;
  tokenUrl: string;
  scopes: readonly string[];
  scopeSeparator?: ' ' | ',';
  /** The parameter that asks for the scopes: Slack has `user_scope` for what a user's token may do. */
  scopeParam?: string;
  /** What else is asked: `access_type=offline` and `prompt=consent` at Google, `audience` at Atlassian. */
  authParams?: Readonly<Record<string, string>>;
  /** Sends a code challenge (RFC 7636, S256). */
  pkce?: boolean;
  /** Whom the `iss` of its answers names (RFC 9207). Absent: somebody at the origin of `authUrl`. */
  issuer?: string;
  /** How the client proves itself at the token endpoint; `body` if absent. */
  clientAuth?: 'body' | 'basic';
  /** What the token endpoint reads; `form` if absent. Its answers may be either. */
  tokenBody?: 'form' | 'json';
  /** Where in its answer the tokens stand, a dotted path: Slack's `authed_user`. */
  tokenAt?: string;
  /** An answer with this value is a failure, whatever its status: Slack's `ok: false`. Its code stands in `error`. */
  failedWhen?: { key: string; value: JsonValue };
  /** What of the answer a piece needs later, by the name it gets in the connection's `data`: a dotted path. Nothing secret. */
  keep?: Readonly<Record<string, string>>;
  /** Seconds for which an access token is good where the answer does not say. Absent: until it is refused. */
  expiresIn?: number;
  /** `none`: access tokens do not expire; `rotating`: each refresh token works once; `standard` if absent. */
  refresh?: 'none' | 'standard' | 'rotating';
  /** Asks for the scopes again when it refreshes: Microsoft. */
  scopeOnRefresh?: boolean;
  /** Codes with which it says that a refresh token is dead, beside `invalid_grant`. Any other failure is tried again. */
  grantRefusedWhen?: readonly string[];
  /** Each customer must bring an OAuth app of its own: the operator's can't serve them. */
  tenantAppOnly?: boolean;
  revoke?: TokenRevocation;
}

/** How a grant is given back when its connection is deleted; `POST` of the token as a form (RFC 7009) if the rest is absent. */
export interface TokenRevocation {
  url: string;
  method?: 'POST' | 'DELETE';
  /** Which token it takes; `refresh` if absent, and where there is none the access token. */
  token?: 'access' | 'refresh';
  /** The name under which it is sent; `token` if absent. */
  tokenParam?: string;
  body?: 'form' | 'json';
  /** Who asks: the client as at the token endpoint, or whoever has the token; `client` if absent. */
  as?: 'client' | 'client-basic' | 'bearer';
}
