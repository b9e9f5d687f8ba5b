import { OAuthError } from './oauth-error.js';

const MAX_CHARACTERS = 4_000;

/** What a query or a form says. */
export interface Parameters {
  /** Empty where it says nothing: RFC 6749, 3.1, treats both alike. */
  get(name: string): string;
  /** Names that it says more than once. */
  repeated: string[];
}

export function toParameters(text: string): Parameters {
  const all = new URLSearchParams(text);
  // Gone through once: anybody may send thousands of names.
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of all.keys()) (seen.has(name) ? repeated : seen).add(name);
  return { get: (name) => all.get(name) ?? '', repeated: [...repeated] };
}

/** The same of a program, which may say each once. Throws OAuthError. */
export function requireParameters(text: string): Parameters {
  const said = toParameters(text);
  const [twice] = said.repeated;
  if (twice !== undefined) throw new OAuthError('invalid_request', `${twice.slice(0, 100)} is said more than once`);
  return said;
}

/** Throws OAuthError where it is not said. */
export function required({ get }: Parameters, name: string): string {
  const value = get(name);
  if (value === '') throw new OAuthError('invalid_request', `${name} is missing`);
  if (value.length > MAX_CHARACTERS || value.includes('\0'))
    throw new OAuthError('invalid_request', `${name} is too long`);
  return value;
}

/** Of a list in one text. */
export const wordsIn = (text: string): string[] => text.split(' ').filter((word) => word !== '');
