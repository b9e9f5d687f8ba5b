import { type Origins, type Query, toForm, toUrl } from './encode-request.js';
import { type Credential } from './credential.js';
import { delayed, patience, type PatienceOptions } from './retry-policy.js';
import { type JsonObject, type JsonValue } from './json.js';
import { pagesOf, type Paging } from './paging.js';
import { ProviderError, type StatedFailure, toProviderError } from './provider-error.js';
import { type Answer, readBody, type Send, type SendRequest } from './answer.js';

/** What a piece's requests have in common. */
export interface HttpDefaults {
  /** Lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** The headers that carry the credential: they win over every other. */
  authorize?: (credential: Credential) => Record<string, string>;
  /** How lists come in pages, where the request does not say otherwise. */
  paging?: Paging;
  /** Takes the key under which a third party does a write at most once; lower-case. Busy ones are asked again for those, too. */
  idempotencyHeader?: string;
  /** What a body says has failed, whatever its status: Slack's `ok: false`, the `errors` of GraphQL. */
  failedWhen?: (body: JsonValue) => StatedFailure | undefined;
}

export interface HttpRequest extends Pick<SendRequest, 'method' | 'headers' | 'timeoutMs'> {
  /** From the piece's origin; the whole URL if it has none, or to a further one. */
  path: string;
  query?: Query;
  /** At most one of the three. A form is sent in bracket notation. */
  json?: JsonValue;
  form?: JsonObject;
  body?: string | Uint8Array;
  /** Of the body, unless the headers say it; absent with `json` and `form`: theirs. */
  contentType?: string;
}

/** A renamed GitHub repository redirects, downloads often do. Egress leaves every credential behind at another origin. */
const MAX_REDIRECTS = 5;

/**
 * The network as an action sees it: its piece's origin, headers and credential are in place. What is asked of a third party that is
 * busy is asked again when it says so, but by `send`.
 */
export interface Http {
  /** Hands back the answer whatever its status. */
  send(request: HttpRequest): Promise<Answer>;
  /** Throws ProviderError unless the answer is 2xx, and its body says of no failure. */
  request(request: HttpRequest): Promise<Answer>;
  /** The JSON of a 2xx answer, null if it is empty; throws ProviderError for anything else. */
  json(request: HttpRequest): Promise<JsonValue>;
  /** At most `limit` items of a list, page by page; asks for no page that is not needed. Throws as `json`, and where the list goes on after 100 pages. */
  pages(request: HttpRequest, limit: number, paging?: Paging): AsyncIterable<JsonValue>;
}

export interface HttpSetup extends HttpDefaults, PatienceOptions, Origins {
  /** Unique, and the same when the run is gone through again. Absent: no request has an idempotency key. */
  runId?: string;
  credential?: Credential;
  send: Send;
  /** `send` waits itself for what is to wait. */
  sendsDelayed?: boolean;
  /** Of one request, unless it says otherwise. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export function openHttp(setup: HttpSetup): Http {
  const { paging: ofPiece } = setup;
  const toRequest = requestMaker(setup);
  const ask = asker(setup, toRequest);
  const json = async (request: HttpRequest): Promise<[Answer, JsonValue]> => {
    const answer = await ask(request);
    return [answer, requireSuccess(setup, answer, requireJson(answer))];
  };
  const page = async (request: HttpRequest) => {
    const [answer, body] = await json(request);
    return { request, url: toUrl(setup, request.path, request.query), answer, body };
  };
  return {
    send: async (request) => setup.send(toRequest(request)),
    request: async (request) => {
      const answer = await ask(request);
      if (setup.failedWhen) requireSuccess(setup, answer, readBody(answer));
      return answer;
    },
    json: async (request) => (await json(request))[1],
    pages: (request, limit, paging = ofPiece) => {
      if (!paging) throw new Error('The list has no paging: set it in the piece or in the request');
      return pagesOf(page, request, { limit, paging });
    },
  };
}

/** Sends, again where the third party is busy and says until when. Throws ProviderError unless the answer is 2xx. */
function asker(setup: HttpSetup, toRequest: RequestMaker): (details: HttpRequest) => Promise<Answer> {
  const delayOf = patience(setup);
  const send = setup.sendsDelayed ? setup.send : delayed(setup.send);
  return async (details) => {
    let request = toRequest(details);
    for (let repeats = 0; ; repeats++) {
      const answer = await send(request);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const delayMs = delayOf(request, answer, repeats);
      if (delayMs === undefined) throw toProviderError(answer, statedIn(setup, readBody(answer)));
      request = { ...request, delayMs };
    }
  };
}

function requireSuccess<Body extends JsonValue | Uint8Array>(setup: HttpSetup, answer: Answer, body: Body): Body {
  const failure = statedIn(setup, body);
  if (failure) throw toProviderError(answer, failure);
  return body;
}

function statedIn({ failedWhen }: HttpSetup, body: JsonValue | Uint8Array): StatedFailure | undefined {
  return body instanceof Uint8Array ? undefined : failedWhen?.(body);
}

type RequestMaker = (request: HttpRequest) => SendRequest;

/** RFC 9110, 9.2.2: the other methods are idempotent by themselves. */
const NOT_IDEMPOTENT = new Set(['POST', 'PATCH']);

/** Numbers the writes of a run, so that a replay of the run writes with the same keys. */
function requestMaker(setup: HttpSetup): RequestMaker {
  const { idempotencyHeader, runId } = setup;
  let writes = 0;
  return (request) => {
    if (!idempotencyHeader || !runId || !NOT_IDEMPOTENT.has(request.method)) return toSendRequest(setup, request);
    const key = { [idempotencyHeader]: `${runId}-${++writes}` };
    return toSendRequest(setup, { ...request, headers: { ...key, ...request.headers } });
  };
}

function toSendRequest(setup: HttpSetup, request: HttpRequest): SendRequest {
  const { credential, signal } = setup;
  const { method, path, query, headers, timeoutMs = setup.timeoutMs } = request;
  const { body, contentType } = toBody(request);
  return {
    method,
    url: toUrl(setup, path, query),
    headers: {
      ...setup.headers,
      ...(contentType && { 'content-type': contentType }),
      ...lowerCaseNames(headers),
      ...(credential && lowerCaseNames(setup.authorize?.(credential))),
    },
    body,
    timeoutMs,
    maxRedirects: MAX_REDIRECTS,
    signal,
  };
}

function toBody({
  json,
  form,
  body,
  contentType,
}: HttpRequest): Pick<HttpRequest, 'contentType'> & { body?: string | Uint8Array } {
  if (json !== undefined) return { body: JSON.stringify(json), contentType: contentType ?? 'application/json' };
  if (form) return { body: toForm(form), contentType: contentType ?? 'application/x-www-form-urlencoded' };
  return { body, contentType };
}

function requireJson({ status, body }: Answer): JsonValue {
  if (body.length === 0) return null;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Without its cause: the parser's message quotes the body.
    throw new ProviderError('The response of the provider is not JSON', { status });
  }
}

function lowerCaseNames(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
