import { parseUrl } from '@drawbridge/contracts';
import { type JsonObject, type JsonValue } from './json.js';
import { InputError } from './provider-error.js';

export type QueryValue = string | number | boolean;
export type Query = { readonly [key: string]: QueryValue | readonly QueryValue[] | undefined };

/** The origins to which a piece may send requests. */
export interface Origins {
  /**
   * An origin with an optional path that precedes the path of every request: `https://api.atlassian.com/ex/jira/1`. A function is called when a
   * request needs the origin.
   */
  origin?: string | (() => string | undefined);
  /** Additional origins of the same provider, for requests with an absolute URL. They also receive the credential. */
  origins?: readonly string[];
}

/**
 * Returns the URL of a request. If there is an origin, `path` must begin with a slash and stay within the origin, or be an absolute URL at one of the
 * additional origins. Otherwise `path` is any absolute URL. A list in the query repeats its key. Throws an Error if `path` violates these rules, and
 * TypeError if the URL is invalid.
 */
export function toUrl(origins: Origins, path: string, query: Query = {}): string {
  const whole = toWhole(origins, path);
  const url = parseUrl(whole);
  if (!url) throw new TypeError('The address is not a valid URL');
  for (const [key, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) url.searchParams.append(key, String(item));
  }
  return url.href;
}

/** Returns whether a string is a valid absolute URL. */
export function isUrl(text: string): boolean {
  return parseUrl(text) !== undefined;
}

function toWhole({ origin, origins = [] }: Origins, path: string): string {
  if (origins.some((other) => path.startsWith(`${other}/`))) return path;
  const base = typeof origin === 'function' ? origin() : origin;
  if (!base) return path;
  // The host of a URL ends at its first slash, so a path cannot lead to another host. Without a folder in the base there is nothing else to leave.
  if (path.startsWith('/') && !hasFolder(base)) return base + path;
  if (isWithin(path, base)) return path;
  if (!path.startsWith('/')) throw new Error(`The path ${path} must start with a slash`);

  const whole = base + path;
  if (!isWithin(whole, base)) throw new Error(`The path ${path} must stay within the address of the piece`);
  return whole;
}

function hasFolder(base: string): boolean {
  return base.includes('/', base.indexOf('://') + 3);
}

/** Returns whether an absolute URL is below a base. Compares the parsed URLs, because URL parsers resolve `..`. */
function isWithin(whole: string, base: string): boolean {
  const [url, within] = [parseUrl(whole), new URL(base)];
  const folder = within.pathname.replace(/\/$/, '');
  return url?.origin === within.origin && url.pathname.startsWith(`${folder}/`) && !url.username && !url.password;
}

/**
 * Fills a path template: `{name}` becomes one segment, and `{+name}` several segments, because its slashes remain. Both are percent-encoded. Throws
 * InputError for an empty, `.` or `..` segment: URL parsers resolve these segments, encoded or not, so that the URL would leave the path.
 */
export function expandPath(template: string, values: { readonly [key: string]: unknown }): string {
  return template.replace(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => {
    const value = String(values[name] ?? '');
    const segments = plus ? value.split('/') : [value];
    return segments.map((segment) => encodeSegment(name, segment)).join('/');
  });
}

/** Returns one encoded segment of a path. Throws InputError for an empty, `.` or `..` segment. */
export function encodeSegment(name: string, segment: string): string {
  if (['', '.', '..'].includes(segment)) throw new InputError(name, `must not contain the path segment "${segment}"`);
  if (/\p{Surrogate}/u.test(segment)) throw new InputError(name, 'must be well-formed Unicode');
  return encodeURIComponent(segment);
}

/**
 * Returns a form body in bracket notation, as Stripe, Rails and PHP parse it: `metadata[key]=v`, `expand[]=a`. Objects in a list are numbered
 * (`items[0][price]=p`), because otherwise it is ambiguous where an object ends. Null becomes an empty value. Empty lists and objects cannot be
 * expressed and are omitted.
 */
export function toForm(values: JsonObject): string {
  const parameters = Object.entries(values).flatMap(([key, value]) => toParameters(key, value));
  return new URLSearchParams(parameters).toString();
}

function toParameters(name: string, value: JsonValue | undefined): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => toParameters(`${name}[${nameOf(item, index)}]`, item));
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => toParameters(`${name}[${key}]`, inner));
}

const nameOf = (item: JsonValue, index: number): string =>
  typeof item === 'object' && item !== null ? String(index) : '';
