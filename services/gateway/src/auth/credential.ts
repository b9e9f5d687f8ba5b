import { type Request } from 'express';
import { type SecretCookie } from './secret-cookies.js';

/** By what a request says for whom it is. */
export interface Credential {
  kind: 'key' | 'session';
  token: string;
}

/** An API key, or the session of a browser. Who sends a key means it, whatever a cookie says. */
export function credentialOf(request: Request, cookie: SecretCookie): Credential | undefined {
  const authorization = request.get('authorization');
  if (authorization !== undefined) {
    const key = bearerToken(authorization);
    return key === undefined ? undefined : { kind: 'key', token: key };
  }
  const token = request.get('cookie') === undefined ? undefined : cookie.read(request);
  return token === undefined ? undefined : { kind: 'session', token };
}

function bearerToken(authorization: string): string | undefined {
  const [scheme, token] = authorization.split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}
