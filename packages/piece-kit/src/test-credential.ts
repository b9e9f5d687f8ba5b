import type { Credential } from './credential.js';
import type { Http } from './http.js';
import { openPiece } from './open-piece.js';
import type { Piece } from './piece.js';
import type { Send } from './send.js';

/** How a piece finds out whether a credential is good, changing nothing: the path of a GET, or code that throws as an action does. */
export type CredentialTest = string | ((http: Http) => Promise<unknown>);

/**
 * Asks the third party whether it takes the credential; one of a piece without a `test` is taken as it is. Throws ProviderError, and
 * whatever `send` throws.
 */
export async function testCredential(
  piece: Piece,
  { credential, send, signal }: { credential: Credential; send: Send; signal?: AbortSignal },
): Promise<void> {
  const { test } = piece.auth ?? {};
  if (test === undefined) return;
  const http = openPiece(piece, { credential, send, signal });
  await (typeof test === 'string' ? http.request({ method: 'GET', path: test }) : test(http));
}
