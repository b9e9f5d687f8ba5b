import { EgressError, type Send } from '@drawbridge/egress';
import { isCredentialRefused, type Piece, ProviderError, testCredential } from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { shownWords } from '../oauth/secrets-in-text.js';
import { secretsOf, type typedCredential } from './typed-credential.js';

const TIMEOUT_MS = 15_000;
/** Limits the wait for a busy provider, because a user waits for the page. */
const BUSY_MS = 5_000;

/** Returns why the provider refuses a credential or could not be called. Undefined: no problem was found. */
export async function tryCredential(
  piece: Piece,
  credential: ReturnType<typeof typedCredential>,
  send: Send,
): Promise<ConnectProblem | undefined> {
  try {
    await testCredential(piece, { credential, send, timeoutMs: TIMEOUT_MS, limitMs: BUSY_MS });
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return { code: 'away' };
    if (!(error instanceof ProviderError)) throw error;
    const message = shownWords(error.message, secretsOf(credential));
    return { code: isRefusal(piece, error) ? 'refused' : 'away', message };
  }
}

/** Returns whether the failure concerns the credential. A rate limit or a server error says nothing about it. */
function isRefusal(piece: Piece, error: ProviderError): boolean {
  const { status = 0, retryable } = error;
  return isCredentialRefused(piece, error) || (!retryable && status < 500);
}
