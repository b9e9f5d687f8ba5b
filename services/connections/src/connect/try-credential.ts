import { EgressError, type Send } from '@drawbridge/egress';
import { isCredentialRefused, type Piece, ProviderError, testCredential } from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { shownWords } from '../oauth/secrets-in-text.js';
import { secretsOf, type typedCredential } from './typed-credential.js';

const TIMEOUT_MS = 15_000;
/** For which a provider that is busy is waited: somebody sits before the page. */
const BUSY_MS = 5_000;

/** Why the provider does not take a credential, or could not be asked; undefined: it is good, as far as anybody can say. */
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

/** Of what it was asked with. A limit that was reached, or a fault, says nothing of it. */
function isRefusal(piece: Piece, error: ProviderError): boolean {
  const { status = 0, retryable } = error;
  return isCredentialRefused(piece, error) || (!retryable && status < 500);
}
