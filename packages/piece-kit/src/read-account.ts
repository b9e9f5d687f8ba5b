import { type Credential } from './credential.js';
import { type ConnectedAccount, openPiece, type OpenOptions, type Piece } from './piece.js';
import { ProviderError } from './provider-error.js';
import { isObject, isText } from './untyped-values.js';

const MAX_VALUES = 50;
const MAX_CHARACTERS = 2_000;
const NAME = /^[a-zA-Z]\w{0,99}$/;
/** Maximum number of characters of a stored label. */
export const MAX_LABEL = 200;

/**
 * Reads the properties of an account with a new credential (`auth.afterConnect`). Undefined values are omitted. Throws ProviderError, the errors of
 * `send`, and ProviderError with the code INVALID_ACCOUNT for a value that cannot be stored.
 */
export async function readAccount(
  piece: Piece,
  options: Pick<OpenOptions, 'send' | 'signal' | 'timeoutMs' | 'limitMs'> & { credential: Credential },
): Promise<{ data: NonNullable<ConnectedAccount['data']>; label?: string }> {
  const read = piece.auth?.afterConnect;
  if (!read) return { data: {} };
  const account: unknown = (await read(openPiece(piece, options), options.credential)) ?? {};
  if (!isObject(account)) throw invalid('afterConnect', 'must return an object');
  const { data = {}, label } = account;
  if (!isObject(data)) throw invalid('data', 'must be an object');
  const values = Object.entries(data).filter(([, value]) => value !== undefined);
  if (values.length > MAX_VALUES) throw invalid('data', `must have at most ${MAX_VALUES} values`);
  for (const [name, value] of values) requireScalar(name, value);
  return {
    data: Object.fromEntries(values) as ConnectedAccount['data'] & object,
    label: isText(label) ? label : undefined,
  };
}

function requireScalar(name: string, value: unknown): void {
  if (!NAME.test(name)) throw invalid('data', 'must have names of letters, digits and underscores');
  const isStorable =
    typeof value === 'string' ? value.length <= MAX_CHARACTERS : typeof value === 'boolean' || Number.isFinite(value);
  if (!isStorable)
    throw invalid(`data.${name}`, `must be a text of at most ${MAX_CHARACTERS} characters, a number or a boolean`);
}

/** Returns the error for a value that cannot be stored. The error does not quote the value, because it may be secret. */
function invalid(what: string, problem: string): ProviderError {
  return new ProviderError(`The account cannot be stored: ${what} ${problem}`, { code: 'INVALID_ACCOUNT' });
}
