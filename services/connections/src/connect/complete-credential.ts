import { cutText, requireParsable } from '@drawbridge/contracts';
import { EgressError, type Send } from '@drawbridge/egress';
import {
  type Credential,
  isCredentialRefused,
  MAX_LABEL,
  originOf,
  type Piece,
  ProviderError,
  readAccount,
  testCredential,
} from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Logger } from '@drawbridge/rpc';
import { shownWords } from '../oauth/provider-problem.js';

const TIMEOUT_MS = 15_000;
/**
 * Limits of a response of a provider. A response is parsed on the main thread, so a large response would delay the requests of all organizations. The
 * largest valid responses list the accounts of a user, which can be hundreds.
 */
const MAX_BYTES = 1_048_576;
const MOST = { values: 20_000, members: 20_000, levels: 64 };
/** Maximum wait, in milliseconds, for a provider that limits its request rate, because a user waits for the page. */
const BUSY_MS = 5_000;

interface Given<C extends Credential> {
  piece: Piece;
  credential: C;
  /** Values that are removed from error messages. */
  secrets: string[];
  /**
   * Values that are removed from the label, the displayed name of the account. Unlike an error message, a label may contain the user name or email
   * address that a user entered. Default: `secrets`.
   */
  labelSecrets?: string[];
  /** True if the credential must be tested, because a user typed it. The token of an OAuth grant needs no test. */
  isTested?: boolean;
}

/** The credential with the data of its account, and the label, a name of the account that the user recognizes. */
export interface Completed<C extends Credential> {
  credential: C;
  label?: string;
  problem?: undefined;
}

/** Tests a new credential and reads the data of its account. Returns the problem if it cannot be used or the provider could not be called. */
export async function completeCredential<C extends Credential>(
  given: Given<C>,
  { send, log }: { send: Send; log: Logger },
): Promise<Completed<C> | { problem: ConnectProblem }> {
  const { piece, credential, secrets, labelSecrets = secrets, isTested = false } = given;
  const options = { credential, send: sendSmall(send), timeoutMs: TIMEOUT_MS, limitMs: BUSY_MS };
  try {
    if (isTested) await testCredential(piece, options);
    const { data, label } = await readInTime(piece, options);
    const completed = withData(piece, credential, data);
    originOf(piece, completed); // Throws if a value of the address is missing, because the connection could never be used.
    const shown = shownWords(label, labelSecrets);
    return { credential: completed, label: shown && cutText(shown, MAX_LABEL) };
  } catch (error) {
    if (error instanceof EgressError) return { problem: { code: 'away' } };
    if (!(error instanceof ProviderError)) throw error;
    const { name: integrationName } = piece;
    // Either the piece has a defect, or the provider changed its API, so the operator should be notified.
    if (['INVALID_ACCOUNT', 'CONNECTION_INCOMPLETE'].includes(error.code ?? ''))
      log.warn({ integrationName, code: error.code }, 'the account of a new connection cannot be used');
    const message = shownWords(error.message, secrets);
    return { problem: { code: isRefusal(piece, error) ? 'refused' : 'away', message } };
  }
}

/** Returns a `send` that throws EgressError if a response is larger than a credential needs. */
function sendSmall(send: Send): Send {
  return async (request) => {
    const answer = await send({ ...request, maxBytes: MAX_BYTES });
    try {
      requireParsable(answer.body, MOST);
    } catch {
      throw new EgressError('TOO_LARGE', 'the response contains more values than the data of an account');
    }
    return answer;
  };
}

/** Limits the total time of all requests of `afterConnect`, because the lock of the session expires after two minutes. */
function readInTime(piece: Piece, options: Parameters<typeof readAccount>[1]): ReturnType<typeof readAccount> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return readAccount(piece, { ...options, signal }).catch((error: unknown) => {
    throw signal.aborted ? new EgressError('TIMEOUT', 'the account was not read in time') : error;
  });
}

/** Returns true if the provider rejected the credential. Rate limits and server errors say nothing about the credential. */
function isRefusal(piece: Piece, error: ProviderError): boolean {
  const { status = 0, retryable } = error;
  return isCredentialRefused(piece, error) || (!retryable && status < 500);
}

/**
 * Adds the values that `afterConnect` returned. They must not replace values that a person entered in the form, or values of the token response,
 * which every refresh overwrites. Credentials of types SECRET_TEXT and BASIC_AUTH cannot store additional values.
 */
function withData<C extends Credential>({ auth }: Piece, credential: C, data: Readonly<Record<string, unknown>>): C {
  switch (credential.type) {
    case 'SECRET_TEXT':
    case 'BASIC_AUTH':
      return credential;
    case 'CUSTOM_AUTH': {
      const added = Object.entries(data).filter(([name]) => !Object.hasOwn(auth?.props ?? {}, name));
      return { ...credential, props: { ...Object.fromEntries(added), ...credential.props } };
    }
    case 'OAUTH2':
    case 'PLATFORM_OAUTH2':
      return { ...credential, data: { ...data, ...credential.data } };
    default:
      return credential satisfies never;
  }
}
