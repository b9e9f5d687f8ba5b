import { type Credential } from './credential.js';
import { type Http } from './http.js';
import { type OpenOptions, openPiece, type Piece } from './piece.js';

/** Checks a credential without changing anything: the path of a GET request, or code that throws as an action does. */
export type CredentialTest = string | ((http: Http) => Promise<unknown>);

/**
 * Checks whether the provider accepts the credential. Accepts any credential if the piece has no `test`. Throws ProviderError and the errors of
 * `send`.
 */
export async function testCredential(
  piece: Piece,
  options: Pick<OpenOptions, 'send' | 'signal' | 'timeoutMs' | 'limitMs'> & { credential: Credential },
): Promise<void> {
  const { test } = piece.auth ?? {};
  if (test === undefined) return;
  const http = openPiece(piece, options);
  await (typeof test === 'string' ? http.request({ method: 'GET', path: test }) : test(http));
}
