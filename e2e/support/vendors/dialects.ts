/** The standard response of a token endpoint. */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
  token_type: string;
  scope?: string;
}

export interface Failure {
  error: string;
  error_description?: string;
}

/** The differences between the OAuth endpoints of a provider and the standard (RFC 6749). */
export interface Dialect {
  pkce?: boolean;
  /** True if each refresh token works once and reuse revokes the whole grant. */
  rotates?: boolean;
  /** True if the provider issues refresh tokens. Otherwise access tokens are valid until they are revoked. */
  refreshes?: boolean;
  /** True if the provider rejects clients that authenticate in the body. */
  needsBasic?: boolean;
  needsJson?: boolean;
  /** Parameters of the authorization request that are required for a refresh token. */
  offlineWhen?: Record<string, string>;
  /** Required parameters of the authorization request. */
  asks?: Record<string, string>;
  /** The name of the scope parameter. Defaults to `scope`. */
  scopeParam?: string;
  grants(tokens: Tokens, isRefresh: boolean): { body: object; isForm?: boolean };
  /** Returns the error response. Defaults to status 400 with the standard body. */
  fails?(failure: Failure, isRefresh: boolean): { status: number; body: object };
}

const FOREVER = ({ access_token, token_type }: Tokens) => ({ access_token, token_type });

/** Known differences of real providers. Each difference occurs at least once. */
export const DIALECTS = {
  plain: { pkce: true, refreshes: true, grants: (tokens) => ({ body: tokens }) },
  github: {
    grants: (tokens) => ({ body: { ...FOREVER(tokens), scope: tokens.scope?.replaceAll(' ', ',') }, isForm: true }),
    fails: ({ error }) => ({
      status: 200,
      body: { error: error === 'invalid_grant' ? 'bad_verification_code' : error, error_description: 'It is wrong.' },
    }),
  },
  slack: {
    refreshes: true,
    rotates: true,
    scopeParam: 'user_scope',
    grants: ({ token_type: _type, ...tokens }) => ({
      body: { ok: true, team: { id: 'T1' }, authed_user: { id: 'U1', token_type: 'user', ...tokens } },
    }),
    fails: ({ error }, isRefresh) => ({
      status: 200,
      body: {
        ok: false,
        error: error !== 'invalid_grant' ? error : isRefresh ? 'invalid_refresh_token' : 'invalid_code',
      },
    }),
  },
  google: {
    refreshes: true,
    offlineWhen: { access_type: 'offline' },
    grants: ({ refresh_token, ...tokens }, isRefresh) => ({
      body: { ...tokens, ...(!isRefresh && refresh_token && { refresh_token }) },
    }),
  },
  notion: {
    needsBasic: true,
    needsJson: true,
    grants: (tokens) => ({ body: { ...FOREVER(tokens), workspace_id: 'w-1', workspace_name: 'Acme', bot_id: 'b-1' } }),
  },
  hubspot: { refreshes: true, grants: (tokens) => ({ body: { ...tokens, hub_id: 42 } }) },
  salesforce: {
    pkce: true,
    refreshes: true,
    grants: ({ expires_in: _seconds, ...tokens }, isRefresh) => ({
      body: {
        ...tokens,
        ...(isRefresh && { refresh_token: undefined }),
        instance_url: 'https://acme.my.salesforce.example',
        issued_at: '1700000000000',
      },
    }),
  },
  atlassian: {
    refreshes: true,
    rotates: true,
    needsJson: true,
    asks: { audience: 'api.atlassian.com', prompt: 'consent' },
    grants: (tokens) => ({ body: tokens }),
  },
} satisfies Record<string, Dialect>;

export type Vendor = keyof typeof DIALECTS;
export const VENDORS = Object.keys(DIALECTS) as Vendor[];
