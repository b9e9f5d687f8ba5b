import type { Credential } from './credential.js';
import { InputError } from './input-error.js';
import type { JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';
import type { Answer, Send, SendRequest } from './send.js';
import { toProviderError } from './to-provider-error.js';

export type QueryValue = string | number | boolean;
export type Query = { readonly [key: string]: QueryValue | readonly QueryValue[] | undefined };

/** What a piece's requests have in common. */
export interface HttpDefaults {
  /** Lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** The headers that carry the credential: they win over every other. */
  authorize?: (credential: Credential) => Record<string, string>;
}

export interface HttpRequest extends Pick<SendRequest, 'method' | 'headers' | 'timeoutMs'> {
  /** From the piece's origin, or the whole URL if it has none. */
  path: string;
  query?: Query;
  /** At most one of the two. */
  json?: JsonValue;
  body?: string | Uint8Array;
  /** Of the body, unless the headers say it; JSON if absent with `json`. */
  contentType?: string;
}

/** A renamed GitHub repository redirects, downloads often do. Egress leaves every credential behind at another origin. */
const MAX_REDIRECTS = 5;

/** The network as an action sees it: its piece's origin, headers and credential are in place. */
export interface Http {
  /** Hands back the answer whatever its status. */
  send(request: HttpRequest): Promise<Answer>;
  /** Throws ProviderError unless the answer is 2xx. */
  request(request: HttpRequest): Promise<Answer>;
  /** The JSON of a 2xx answer, null if it is empty; throws ProviderError for anything else. */
  json(request: HttpRequest): Promise<JsonValue>;
}

export interface HttpSetup extends HttpDefaults {
  origin?: string;
  credential?: Credential;
  send: Send;
  /** Of one request, unless it says otherwise. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export function openHttp(setup: HttpSetup): Http {
  const send = async (request: HttpRequest): Promise<Answer> => setup.send(toSendRequest(setup, request));
  const request = async (details: HttpRequest): Promise<Answer> => {
    const answer = await send(details);
    if (answer.status < 200 || answer.status >= 300) throw toProviderError(answer);
    return answer;
  };
  return { send, request, json: async (details) => requireJson(await request(details)) };
}

function toSendRequest(setup: HttpSetup, request: HttpRequest): SendRequest {
  const { origin, credential, signal } = setup;
  const { method, path, query, json, body, headers, timeoutMs = setup.timeoutMs } = request;
  const contentType = request.contentType ?? (json === undefined ? undefined : 'application/json');
  return {
    method,
    url: toUrl(origin, path, query),
    headers: {
      ...setup.headers,
      ...(contentType && { 'content-type': contentType }),
      ...lowerCaseNames(headers),
      ...(credential && lowerCaseNames(setup.authorize?.(credential))),
    },
    body: json === undefined ? body : JSON.stringify(json),
    timeoutMs,
    maxRedirects: MAX_REDIRECTS,
    signal,
  };
}

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

function requireJson({ status, body }: Answer): JsonValue {
  if (body.length === 0) return null;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Without its cause: the parser's message quotes the body.
    throw new ProviderError('The provider answered something other than JSON', { status });
  }
}

function lowerCaseNames(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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
