export const CLIENT_ID = 'drawbridge';
const ORIGIN = 'https://vendors.example';

/** The OAuth2 settings of each piece, without the URLs. */
export const OAUTH2 = {
  plain: { pkce: true },
  github: {
    refresh: 'none',
    scopeSeparator: ',',
    revoke: { method: 'DELETE', token: 'access', tokenParam: 'access_token', body: 'json', as: 'client-basic' },
  },
  slack: {
    refresh: 'rotating',
    scopeSeparator: ',',
    scopeParam: 'user_scope',
    tokenAt: 'authed_user',
    failedWhen: { key: 'ok', value: false },
    grantRefusedWhen: ['invalid_refresh_token'],
    keep: { teamId: 'team.id', userId: 'authed_user.id' },
  },
  google: { authParams: { access_type: 'offline', prompt: 'consent' } },
  notion: {
    refresh: 'none',
    clientAuth: 'basic',
    tokenBody: 'json',
    keep: { workspaceId: 'workspace_id', botId: 'bot_id' },
  },
  hubspot: { keep: { portalId: 'hub_id' } },
  salesforce: { pkce: true, keep: { instanceUrl: 'instance_url' } },
  atlassian: {
    refresh: 'rotating',
    tokenBody: 'json',
    authParams: { audience: 'api.atlassian.com', prompt: 'consent' },
  },
};

/** Returns the piece of a provider. Its only action, `whoami`, needs a valid token. */
export function vendorPiece({ piece, action, authorizationHeader }, vendor) {
  const at = `${ORIGIN}/${vendor}`;
  const { revoke = {}, ...own } = OAUTH2[vendor];
  const revokeUrl = vendor === 'github' ? `${at}/applications/${CLIENT_ID}/grant` : `${at}/revoke`;
  const urls = { authUrl: `${at}/auth`, tokenUrl: `${at}/token`, issuer: at, revoke: { url: revokeUrl, ...revoke } };
  return piece({
    name: `test-${vendor}`,
    displayName: `Test ${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`,
    description: 'A vendor of the tests.',
    categories: ['CORE'],
    origin: ORIGIN,
    auth: { types: ['OAUTH2'], required: true, oauth2: { ...urls, scopes: ['read', 'write'], ...own } },
    http: { authorize: authorizationHeader },
    actions: {
      whoami: action({
        displayName: 'Who am I',
        description: 'Returns the user of the token.',
        category: 'read',
        props: {},
        call: { method: 'GET', path: `/${vendor}/api/me` },
      }),
    },
  });
}
