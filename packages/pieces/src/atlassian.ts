import {
  authorizationHeader,
  type Credential,
  type Http,
  type HttpDefaults,
  listAt,
  type OAuth2Provider,
  type PieceAuth,
  ProviderError,
  textAt,
} from '@drawbridge/piece-kit';

export const ATLASSIAN = 'https://api.atlassian.com';

/** Returns the OAuth settings that Jira and Confluence share: https://developer.atlassian.com/cloud/oauth/getting-started/ */
const oauth2 = (scopes: readonly string[]): OAuth2Provider => ({
  authUrl: 'https://auth.atlassian.com/authorize',
  tokenUrl: 'https://auth.atlassian.com/oauth/token',
  scopes: [...scopes, 'offline_access'],
  authParams: { audience: 'api.atlassian.com', prompt: 'consent' },
  tokenBody: 'json',
  refresh: 'rotating',
});

const site = { displayName: 'Site', description: 'The first part of the address: "acme" of acme.atlassian.net.' };

/**
 * Returns the authentication of an Atlassian product: OAuth, or an email address with an API token. `test` is a path of the product. The site is the
 * one for which the user granted the first scope.
 */
export const atlassianAuth = (scopes: readonly [string, ...string[]], test: string): PieceAuth => ({
  types: ['OAUTH2', 'CUSTOM_AUTH'],
  required: true,
  description: 'An API token from id.atlassian.com has all permissions of its user. Triggers with webhooks need OAuth.',
  props: {
    site: { ...site, required: true, secret: false },
    email: { displayName: 'Email', description: 'The email address of the user.', required: true, secret: false },
    apiToken: {
      displayName: 'API token',
      description: 'From id.atlassian.com, Security.',
      required: true,
      secret: true,
    },
  },
  test,
  oauth2: oauth2(scopes),
  afterConnect: (http, credential) => readSite(http, credential, scopes[0]),
});

/**
 * Finds the site that the user has connected, among the sites to which the token gives access:
 * https://developer.atlassian.com/cloud/oauth/getting-started/making-calls-to-api/
 */
async function readSite(http: Http, credential: Credential, scope: string) {
  if (credential.type === 'CUSTOM_AUTH') return { label: textAt(credential.props, 'email') };
  const sites = listAt(await http.json({ method: 'GET', path: `${ATLASSIAN}/oauth/token/accessible-resources` }));
  const found = sites.find((one) => listAt(one, 'scopes').includes(scope)) ?? null;
  const [cloudId, url, label] = [textAt(found, 'id'), textAt(found, 'url'), textAt(found, 'name')];
  if (!cloudId) throw new ProviderError('The user granted access to no site of Atlassian');
  return { data: { cloudId, ...(url && { siteUrl: url }) }, label };
}

export const atlassianHttp = {
  authorize(credential: Credential): Record<string, string> {
    if (credential.type !== 'CUSTOM_AUTH') return authorizationHeader(credential);
    const [username = '', password = ''] = ['email', 'apiToken'].map((name) => textAt(credential.props, name));
    return authorizationHeader({ type: 'BASIC_AUTH', username, password });
  },
  // Error responses have one of these formats: https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/#status-codes
  failure: { message: ['errorMessages.0', 'errors.0.title', 'errors', 'message'] },
} satisfies HttpDefaults;
