import { InputError } from './input-error.js';

export type QueryValue = string | number | boolean;
export type Query = { readonly [key: string]: QueryValue | readonly QueryValue[] | undefined };

/**
 * The address of a request. With an origin, `path` starts with a slash and cannot leave the origin; without one it is
 * the whole URL. A list in the query repeats its key.
 */
export function toUrl(origin: string | undefined, path: string, query: Query = {}): string {
  if (origin && !path.startsWith('/')) throw new Error(`The path ${path} does not start with a slash`);

  const url = new URL(origin ? origin + path : path);
  if (origin && url.origin !== new URL(origin).origin) throw new Error(`The path ${path} leaves ${origin}`);

  for (const [key, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) url.searchParams.append(key, String(item));
  }
  return url.href;
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
