import { readFileSync } from 'node:fs';

/** Maps an origin to the origin, with an optional path prefix, to which its requests are sent. */
export type OriginMap = ReadonlyMap<string, Target>;

interface Target {
  origin: string;
  prefix: string;
  hostAndPort: string;
}

/**
 * Parses the entries of ORIGIN_MAP: the origin of a provider, and the origin to which its requests are sent. Throws an Error with the first invalid
 * entry.
 */
export function readOriginMap(map: Record<string, string>): OriginMap {
  return new Map(Object.entries(map).map(([from, to]) => [toOrigin(from), toTarget(from, to)]));
}

/** The origin and path to which a request is sent. */
interface Address {
  origin: string;
  /** The path and query. */
  path: string;
}

/** Returns the address to which requests for `url` are sent. It equals `url` if the origin is not mapped. */
export function toAddress(url: URL, origins: OriginMap): Address {
  const { origin, prefix } = origins.get(url.origin) ?? { origin: url.origin, prefix: '' };
  return { origin, path: `${prefix}${url.pathname}${url.search}` };
}

/**
 * Reverses the map for a redirect of a mapped server: converts a URL below the target of `origin` to a URL of `origin`. Returns any other URL
 * unchanged.
 */
export function fromMappedUrl(reached: URL, origin: string, origins: OriginMap): URL {
  const target = origins.get(origin);
  if (target === undefined || target.origin !== reached.origin) return reached;
  if (!`${reached.pathname}/`.startsWith(`${target.prefix}/`)) return reached;
  return new URL(`${origin}${reached.pathname.slice(target.prefix.length)}${reached.search}`);
}

function toOrigin(from: string): string {
  const url = toPlainUrl(from);
  if (url === undefined || url.pathname !== '/') {
    throw new Error(`ORIGIN_MAP: "${from}" is not an http or https origin such as https://api.github.com`);
  }
  return url.origin;
}

function toTarget(from: string, to: string): Target {
  const url = toPlainUrl(to);
  if (url === undefined) {
    throw new Error(`ORIGIN_MAP: the target of "${from}" is not an http or https URL without credentials or query`);
  }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ''), hostAndPort: `${url.hostname}:${port}` };
}

function toPlainUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username + url.password + url.search + url.hash === '';
  return isPlain && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * Parses ORIGIN_MAP: a JSON object, or the path of a file that contains a JSON object. Returns an empty map if the value is absent or empty. Throws
 * an Error with the invalid entry or the unreadable file.
 */
export function parseOriginMap(text: string | undefined): Record<string, string> {
  const written = text?.trim() ?? '';
  if (written === '') return {};

  const map = toRecord(parseJson(written.startsWith('{') ? written : readMapFile(written)));
  readOriginMap(map);
  return map;
}

function readMapFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`ORIGIN_MAP: ${JSON.stringify(path)} is neither a JSON object nor the path of a readable file`, {
      cause: error,
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('ORIGIN_MAP: not valid JSON. Set an object from origins to origins');
  }
}

function toRecord(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('ORIGIN_MAP: not a JSON object');
  }
  const entries = Object.entries(value).map(([from, to]): [string, string] => {
    if (typeof to !== 'string') throw new Error(`ORIGIN_MAP: the target of "${from}" is not a string`);
    return [from, to];
  });
  return Object.fromEntries(entries);
}
