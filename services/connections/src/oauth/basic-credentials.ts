import { type OAuthApp } from './oauth-app.js';

/**
 * Returns the HTTP Basic credentials of an app (RFC 6749, 2.3.1). The id and the secret are escaped as little as possible: many providers do not
 * unescape them, and would read a `secret_…` with an escaped `_` as another secret.
 */
export function basicCredentials({ clientId, clientSecret }: Pick<OAuthApp, 'clientId' | 'clientSecret'>): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
