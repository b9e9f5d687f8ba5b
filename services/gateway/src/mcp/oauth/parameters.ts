import { OAuthError } from './oauth-error.js';

const MAX_CHARACTERS = 4_000;

/** Parameters of a query or a form. */
export interface Parameters {
  /** Returns an empty string for an absent parameter: RFC 6749, 3.1, treats both alike. */
  get(name: string): string;
  /** Names that occur more than once. */
  repeated: string[];
}

export function toParameters(text: string): Parameters {
  const all = new URLSearchParams(text);
  // Read in one pass, because a client may send thousands of names.
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of all.keys()) (seen.has(name) ? repeated : seen).add(name);
  return { get: (name) => all.get(name) ?? '', repeated: [...repeated] };
}

/** Parses parameters that may each occur once. Throws OAuthError. */
export function requireParameters(text: string): Parameters {
  const said = toParameters(text);
  const [twice] = said.repeated;
  if (twice !== undefined) throw new OAuthError('invalid_request', `${twice.slice(0, 100)} is said more than once`);
  return said;
}

/** Throws OAuthError if the parameter is absent, too long or contains NUL. */
export function required({ get }: Parameters, name: string): string {
  const value = get(name);
  if (value === '') throw new OAuthError('invalid_request', `${name} is missing`);
  if (value.length > MAX_CHARACTERS || value.includes('\0'))
    throw new OAuthError('invalid_request', `${name} is too long`);
  return value;
}

/** Splits a list at its spaces. */
export const wordsIn = (text: string): string[] => text.split(' ').filter((word) => word !== '');
