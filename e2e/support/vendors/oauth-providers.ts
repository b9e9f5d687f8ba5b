/** The OAuth behaviour of a provider according to its documentation. The fake provider of a test rejects a request that differs. */
export interface OAuthProvider {
  /** The origins of the provider's OAuth URLs and its API. */
  origins: string[];
  /** The values of the account fields that the connect page requests from the user, such as a subdomain. */
  account?: Record<string, string>;
  /** The path of the authorization page, and the parameters that it requires. */
  authorize: string;
  params?: Record<string, string>;
  /** True if scopes are separated by commas instead of spaces. */
  commas?: true;
  /**
   * The path of the token endpoint. The client authenticates in the body unless `client` is `basic`, and the body is a form unless `body` is `json`.
   */
  token: string;
  client?: 'basic';
  body?: 'json';
  /** True if the provider verifies the PKCE challenge. */
  pkce?: true;
  /** The token response, in addition to `access_token` and `token_type`. */
  grants?: object;
  /** The requests that read the account and its label, which need the access token. */
  account_requests?: Record<string, unknown>;
  label?: string;
  /** Parameters that the provider adds to the redirect back. */
  back?: Record<string, string>;
}

const WITH_REFRESH = { refresh_token: 'refresh-1', expires_in: 3600 };
const GOOGLE = {
  authorize: '/o/oauth2/v2/auth',
  token: '/token',
  params: { access_type: 'offline', prompt: 'consent' },
  pkce: true as const,
  grants: { ...WITH_REFRESH, scope: 'openid' },
};
const google = (...origins: string[]): OAuthProvider => ({
  ...GOOGLE,
  origins: ['https://accounts.google.com', 'https://oauth2.googleapis.com', ...origins],
});
const microsoft: OAuthProvider = {
  origins: ['https://login.microsoftonline.com', 'https://graph.microsoft.com'],
  authorize: '/common/oauth2/v2.0/authorize',
  token: '/common/oauth2/v2.0/token',
  pkce: true,
  grants: { ...WITH_REFRESH, token_type: 'Bearer', ext_expires_in: 3600, scope: 'User.Read' },
};
const atlassian = (scope: string): OAuthProvider => ({
  origins: ['https://auth.atlassian.com', 'https://api.atlassian.com'],
  authorize: '/authorize',
  token: '/oauth/token',
  params: { audience: 'api.atlassian.com', prompt: 'consent' },
  body: 'json',
  grants: WITH_REFRESH,
  account_requests: {
    'GET /oauth/token/accessible-resources': [
      { id: 'c0', url: 'https://other.atlassian.net', name: 'other', scopes: ['read:other'] },
      { id: 'c1', url: 'https://acme.atlassian.net', name: 'acme', scopes: [scope] },
    ],
  },
  label: 'acme',
});

/** Every piece with OAuth, as its provider documents it. Each entry follows the documentation page that the piece links to. */
export const OAUTH_PROVIDERS: Record<string, OAuthProvider> = {
  airtable: {
    origins: ['https://airtable.com', 'https://api.airtable.com'],
    ...{ authorize: '/oauth2/v1/authorize', token: '/oauth2/v1/token', client: 'basic', pkce: true },
    grants: { ...WITH_REFRESH, refresh_expires_in: 5_184_000, scope: 'data.records:read' },
  },
  asana: {
    origins: ['https://app.asana.com'],
    ...{ authorize: '/-/oauth_authorize', token: '/-/oauth_token', pkce: true },
    grants: { ...WITH_REFRESH, data: { gid: '1', email: 'ada@acme.example' } },
  },
  confluence: atlassian('read:page:confluence'),
  dropbox: {
    origins: ['https://www.dropbox.com', 'https://api.dropboxapi.com'],
    ...{ authorize: '/oauth2/authorize', token: '/oauth2/token', pkce: true },
    params: { token_access_type: 'offline' },
    grants: { ...WITH_REFRESH, account_id: 'dbid:1', uid: '1' },
    account_requests: { 'POST /2/users/get_current_account': { account_id: 'dbid:1', email: 'ada@acme.example' } },
    label: 'ada@acme.example',
  },
  github: {
    origins: ['https://github.com', 'https://api.github.com'],
    ...{ authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', pkce: true },
    grants: { scope: 'repo,read:user', token_type: 'bearer' },
  },
  gitlab: {
    origins: ['https://gitlab.com'],
    ...{ authorize: '/oauth/authorize', token: '/oauth/token', pkce: true },
    grants: { ...WITH_REFRESH, created_at: 1_769_850_000 },
    account_requests: { 'GET /api/v4/user': { id: 1, username: 'ada' } },
    label: 'ada',
  },
  gmail: google('https://gmail.googleapis.com'),
  'google-calendar': google('https://www.googleapis.com'),
  'google-drive': google('https://www.googleapis.com'),
  'google-sheets': google('https://sheets.googleapis.com', 'https://www.googleapis.com'),
  hubspot: {
    origins: ['https://app.hubspot.com', 'https://api.hubapi.com'],
    ...{ authorize: '/oauth/authorize', token: '/oauth/v1/token' },
    params: { optional_scope: 'crm.lists.read crm.lists.write forms tickets' },
    grants: { ...WITH_REFRESH, expires_in: 1800 },
    account_requests: { 'GET /account-info/v3/details': { portalId: 42, uiDomain: 'app.hubspot.com' } },
    label: 'app.hubspot.com 42',
  },
  intercom: {
    origins: ['https://app.intercom.com', 'https://api.intercom.io', 'https://api.eu.intercom.io'],
    account: { host: 'api.eu' },
    ...{ authorize: '/oauth', token: '/auth/eagle/token' },
    grants: { token: 'access-1' },
    account_requests: { 'GET /me': { type: 'admin', email: 'ada@acme.example', app: { name: 'Acme' } } },
    label: 'Acme',
  },
  jira: atlassian('read:jira-work'),
  linear: {
    origins: ['https://linear.app', 'https://api.linear.app'],
    ...{ authorize: '/oauth/authorize', token: '/oauth/token', commas: true },
    grants: { ...WITH_REFRESH, scope: 'read write' },
  },
  'microsoft-onedrive': microsoft,
  'microsoft-outlook': microsoft,
  'microsoft-teams': microsoft,
  monday: {
    origins: ['https://auth.monday.com', 'https://api.monday.com'],
    ...{ authorize: '/oauth2/authorize', token: '/oauth2/token' },
    grants: { scope: 'me:read' },
    account_requests: {
      'POST /v2': { data: { me: { id: '1', email: 'ada@acme.example', account: { name: 'Acme', slug: 'acme' } } } },
    },
    label: 'Acme, ada@acme.example',
  },
  notion: {
    origins: ['https://api.notion.com'],
    ...{ authorize: '/v1/oauth/authorize', token: '/v1/oauth/token', client: 'basic', body: 'json' },
    params: { owner: 'user' },
    grants: { bot_id: 'b1', workspace_id: 'w1', workspace_name: 'Acme', owner: { type: 'user' } },
  },
  salesforce: {
    origins: ['https://login.salesforce.com', 'https://acme.my.salesforce.com'],
    account: { domain: 'login' },
    ...{ authorize: '/services/oauth2/authorize', token: '/services/oauth2/token', pkce: true },
    // The response has no `expires_in`.
    grants: { refresh_token: 'refresh-1', instance_url: 'https://acme.my.salesforce.com', issued_at: '1769850000000' },
  },
  shopify: {
    origins: ['https://acme.myshopify.com'],
    account: { shop: 'acme' },
    ...{ authorize: '/admin/oauth/authorize', token: '/admin/oauth/access_token', commas: true },
    grants: { scope: 'read_orders' },
    account_requests: { 'POST /admin/api/2026-07/graphql.json': { data: { shop: { name: 'Acme' } } } },
    label: 'Acme',
    back: { shop: 'acme.myshopify.com', hmac: '1b2c', host: 'YWRtaW4', timestamp: '1769850000' },
  },
  slack: {
    origins: ['https://slack.com'],
    ...{ authorize: '/oauth/v2/authorize', token: '/api/oauth.v2.access', commas: true },
    grants: {
      ok: true,
      token_type: 'bot',
      bot_user_id: 'U1',
      team: { id: 'T1', name: 'Acme' },
      authed_user: { id: 'U2' },
    },
  },
  xero: {
    origins: ['https://login.xero.com', 'https://identity.xero.com', 'https://api.xero.com'],
    ...{ authorize: '/identity/connect/authorize', token: '/connect/token', client: 'basic' },
    grants: { ...WITH_REFRESH, expires_in: 1800 },
    account_requests: { 'GET /connections': [{ tenantId: 't1', tenantType: 'ORGANISATION', tenantName: 'Acme' }] },
    label: 'Acme',
    back: { iss: 'https://identity.xero.com', scope: 'offline_access' },
  },
  zendesk: {
    origins: ['https://acme.zendesk.com'],
    account: { subdomain: 'acme' },
    ...{ authorize: '/oauth/authorizations/new', token: '/oauth/tokens', body: 'json', pkce: true },
    grants: WITH_REFRESH,
  },
  zoom: {
    origins: ['https://zoom.us', 'https://api.zoom.us'],
    ...{ authorize: '/oauth/authorize', token: '/oauth/token', client: 'basic', pkce: true },
    grants: { ...WITH_REFRESH, api_url: 'https://api.zoom.us' },
    account_requests: { 'GET /v2/users/me': { id: '1', email: 'ada@acme.example' } },
    label: 'ada@acme.example',
  },
};
