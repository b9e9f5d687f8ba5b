/** A token endpoint's answer, as one that goes by the standard gives it. */
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

/** How a vendor differs from the standard. */
export interface Dialect {
  pkce?: boolean;
  /** Each refresh token works once; a used one revokes the whole grant. */
  rotates?: boolean;
  /** None: access tokens end when they are revoked. */
  refreshes?: boolean;
  /** Refuses a client that proves itself in the body. */
  needsBasic?: boolean;
  needsJson?: boolean;
  /** Of the authorization request; without them there is no refresh token. */
  offlineWhen?: Record<string, string>;
  /** Of the authorization request; without them it is refused. */
  asks?: Record<string, string>;
  /** `scope`, unless it says otherwise. */
  scopeParam?: string;
  grants(tokens: Tokens, isRefresh: boolean): { body: object; isForm?: boolean };
  /** 400 and the standard's body, unless it says otherwise. */
  fails?(failure: Failure, isRefresh: boolean): { status: number; body: object };
}

const FOREVER = ({ access_token, token_type }: Tokens) => ({ access_token, token_type });

/** As notes on real vendors have them: each oddity once. */
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
