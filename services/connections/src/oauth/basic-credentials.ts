import { type OAuthApp } from './oauth-app.js';

/**
 * What proves an app by HTTP's Basic scheme (RFC 6749, 2.3.1). Of its id and secret no more is escaped than must be: many providers take them
 * as they stand, and a `secret_…` in which the `_` is escaped is another secret for them.
 */
export function basicCredentials({ clientId, clientSecret }: Pick<OAuthApp, 'clientId' | 'clientSecret'>): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
