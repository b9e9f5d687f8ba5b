import { type ErrorRequestHandler, type Response } from 'express';
import { knownError, setRetryAfter } from '../../http/send-error.js';

const MAX_CHARACTERS = 4_000;

/** Parameters of a query or a form. */
export interface Parameters {
  /** Returns the value, or an empty string for an absent parameter: RFC 6749, 3.1, treats an empty parameter as absent. */
  get(name: string): string;
  /** Names that occur more than once. */
  repeated: string[];
}

export function toParameters(text: string): Parameters {
  const all = new URLSearchParams(text);
  // One pass over all names. To count each name with `getAll` would be slow for a client that sends thousands of names.
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of all.keys()) (seen.has(name) ? repeated : seen).add(name);
  return { get: (name) => all.get(name) ?? '', repeated: [...repeated] };
}

/** Parses parameters of which each may occur only once. Throws OAuthError. */
export function requireParameters(text: string): Parameters {
  const said = toParameters(text);
  const [twice] = said.repeated;
  if (twice !== undefined) throw new OAuthError('invalid_request', `${twice.slice(0, 100)} must be sent only once`);
  return said;
}

/** Throws OAuthError if the parameter is absent, too long or contains NUL. */
export function required({ get }: Parameters, name: string): string {
  const value = get(name);
  if (value === '') throw new OAuthError('invalid_request', `${name} is missing`);
  if (value.length > MAX_CHARACTERS || value.includes('\0'))
    throw new OAuthError('invalid_request', `${name} is too long or contains a NUL character`);
  return value;
}

/** Splits a parameter with a list, such as `scope`, at its spaces. */
export const wordsIn = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** An error with a code and a message of RFC 6749, 5.2, or of its extensions. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** Sends any error as `{error, error_description}`. */
export const sendOAuthError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const known = error instanceof OAuthError ? error : toOAuthError(error, response);
  if (known.status === 401) response.setHeader('WWW-Authenticate', 'Basic');
  response.set('Cache-Control', 'no-store').status(known.status);
  response.json({ error: known.code, error_description: plain(known.message) });
};

/** Replaces the characters that RFC 6749, 5.2, does not allow. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, "'");

function toOAuthError(error: unknown, response: Response): OAuthError {
  const known = knownError(error, response, 'OAuth');
  setRetryAfter(response, known);
  const code = codeOf(known.status, known.details['reason']);
  return new OAuthError(code, known.message, code === 'invalid_client' ? 401 : known.status);
}

function codeOf(status: number, reason: unknown): string {
  if (status === 400 && typeof reason === 'string') return reason;
  if (status === 429 || status === 503 || status === 504) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** All scopes that a token can have. */
export const SCOPES = ['mcp:tools', 'mcp:code'];

/** The error message for a request that contains only unknown scopes. */
export const THERE_ARE_SCOPES = `The supported scopes are ${SCOPES.join(' and ')}`;
