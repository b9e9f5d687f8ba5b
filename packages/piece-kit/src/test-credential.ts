import type { Credential } from './credential.js';
import type { Http } from './http.js';
import { type OpenOptions, openPiece } from './open-piece.js';
import type { Piece } from './piece.js';

/** How a piece finds out whether a credential is good, changing nothing: the path of a GET, or code that throws as an action does. */
export type CredentialTest = string | ((http: Http) => Promise<unknown>);

/**
 * Asks the third party whether it takes the credential; one of a piece without a `test` is taken as it is. Throws ProviderError, and
 * whatever `send` throws.
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
