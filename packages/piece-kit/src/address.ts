import { parseUrl } from '@drawbridge/contracts';
import { InputError } from './input-error.js';

export type QueryValue = string | number | boolean;
export type Query = { readonly [key: string]: QueryValue | readonly QueryValue[] | undefined };

/** The origins that requests of a piece may use. */
export interface Origins {
  origin?: string;
  /** Further origins of the same provider, for requests with an absolute URL. They also get the credential. */
  origins?: readonly string[];
}

/**
 * Returns the URL of a request. With an origin, `path` starts with a slash and cannot leave the origin, or is an absolute URL at a further
 * origin. Without one, it is any absolute URL. A list in the query repeats its key.
 */
export function toUrl(origins: Origins, path: string, query: Query = {}): string {
  const whole = toWhole(origins, path);
  const url = parseUrl(whole);
  if (!url) throw new TypeError('The address is not a URL that can be read');
  for (const [key, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) url.searchParams.append(key, String(item));
  }
  return url.href;
}

/** Returns whether a text is a valid absolute URL. */
export function isUrl(text: string): boolean {
  return parseUrl(text) !== undefined;
}

function toWhole({ origin, origins = [] }: Origins, path: string): string {
  if (!origin || origins.some((other) => path.startsWith(`${other}/`))) return path;
  if (!path.startsWith('/')) throw new Error(`The path ${path} does not start with a slash`);

  const whole = origin + path;
  if (new URL(whole).origin !== new URL(origin).origin) throw new Error(`The path ${path} leaves ${origin}`);
  return whole;
}

/**
 * Fills a path template: `{name}` becomes one segment, `{+name}` several (its slashes stay), both percent-encoded.
 * Throws InputError for an empty, `.` or `..` segment: URL parsers resolve those, encoded or not, and would leave the path.
 */
export function expandPath(template: string, values: { readonly [key: string]: unknown }): string {
  return template.replace(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => {
    const value = String(values[name] ?? '');
    const segments = plus ? value.split('/') : [value];
    return segments.map((segment) => encodeSegment(name, segment)).join('/');
  });
}

function encodeSegment(name: string, segment: string): string {
  if (['', '.', '..'].includes(segment)) throw new InputError(name, `must not contain the path segment "${segment}"`);
  if (/\p{Surrogate}/u.test(segment)) throw new InputError(name, 'must be well-formed Unicode');
  return encodeURIComponent(segment);
}
