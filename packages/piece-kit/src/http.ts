import { type Query, toUrl } from './address.js';
import type { Credential } from './credential.js';
import type { JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';
import type { Answer, Send, SendRequest } from './send.js';
import { toProviderError } from './to-provider-error.js';

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
