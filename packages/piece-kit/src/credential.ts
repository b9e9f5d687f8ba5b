import type { JsonObject } from './json.js';

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
