import { type Origins, type Query, toForm, toUrl } from './encode-request.js';
import { type Credential } from './credential.js';
import { isBusy } from './provider-rate-limit.js';
import { delayed, retryPolicy, type RetryOptions } from './retry-policy.js';
import { type JsonObject, type JsonValue } from './json.js';
import { pagesOf, type Paging } from './paging.js';
import { type FailureFormat, ProviderError, type StatedFailure, toProviderError } from './provider-error.js';
import { type Answer, readBody, type Send, type SendRequest } from './answer.js';

/** The settings that all requests of a piece share. */
export interface HttpDefaults extends FailureFormat {
  /** Header names are in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Returns the headers that contain the credential. They override all other headers. */
  authorize?: (credential: Credential) => Record<string, string>;
  /** The paging of lists. A request can override it. */
  paging?: Paging;
  /** The name of the header for the idempotency key, in lower case. Requests with a key are retried like requests that only read. */
  idempotencyHeader?: string;
  /**
   * Returns the failure that a body states, whatever its status: Slack's `ok: false`, or the `errors` of GraphQL. Returns undefined for a success.
   */
  failedWhen?: (body: JsonValue) => StatedFailure | undefined;
}

export interface HttpRequest extends Pick<SendRequest, 'method' | 'headers' | 'timeoutMs'> {
  /** A path below the piece's origin, or an absolute URL: at one of the additional origins, or at any origin if the piece has none. */
  path: string;
  query?: Query;
  /** At most one of `json`, `form` and `body`. A form is sent in bracket notation. */
  json?: JsonValue;
  form?: JsonObject;
  body?: string | Uint8Array;
  /** The content type. Default: the type of `json` or `form`, and none for `body`. A content-type header overrides it. */
  contentType?: string;
}

/**
 * Maximum number of redirects of one request. GitHub redirects requests for a renamed repository, and many downloads redirect. Egress removes the
 * credential on a redirect to another origin.
 */
const MAX_REDIRECTS = 5;

/**
 * The HTTP client of an action, with the origin, headers and credential of its piece. If the provider responds that it is busy and states a waiting
 * time, requests that can be repeated are repeated after that time, except by `send`.
 */
export interface Http {
  /** Returns the response, whatever its status. */
  send(request: HttpRequest): Promise<Answer>;
  /** Returns a 2xx response. Throws ProviderError for any other status, and for a body that states a failure. */
  request(request: HttpRequest): Promise<Answer>;
  /** Returns the JSON of a 2xx response, or null if the body is empty. Throws ProviderError as `request` does, and for a body that is not JSON. */
  json(request: HttpRequest): Promise<JsonValue>;
  /**
   * Yields at most `limit` items of a list, and requests only the pages that it needs. Throws as `json` does, and ProviderError if the list has more
   * than 100 pages.
   */
  pages(request: HttpRequest, limit: number, paging?: Paging): AsyncIterable<JsonValue>;
}

export interface HttpSetup extends HttpDefaults, RetryOptions, Origins {
  /**
   * A unique id that stays the same if the run is repeated. The idempotency keys of the run's writes are derived from it. If it is absent, writes
   * have no key.
   */
  runId?: string;
  credential?: Credential;
  send: Send;
  /** Set if `send` waits for the `delayMs` of a request itself. */
  sendsDelayed?: boolean;
  /** The timeout of one request. A request can override it. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export function openHttp(setup: HttpSetup): Http {
  const toRequest = requestMaker(setup);
  const ask = asker(setup, toRequest);
  const page = async (request: HttpRequest) => {
    const [answer, body] = await ask(request, requireJson);
    return { request, url: toUrl(setup, request.path, request.query), answer, body };
  };
  return {
    send: async (request) => setup.send(toRequest(request)),
    request: async (request) => (await ask(request, setup.failedWhen ? readBody : () => null))[0],
    json: async (request) => (await ask(request, requireJson))[1],
    pages: (request, limit, paging = setup.paging) => {
      if (!paging) throw new Error('The list has no paging. Set `paging` in the piece or in the request');
      return pagesOf(page, request, { limit, paging });
    },
  };
}

type Ask = <Body extends JsonValue | Uint8Array>(
  details: HttpRequest,
  read: (answer: Answer) => Body,
) => Promise<[Answer, Body]>;

/**
 * Sends a request. If the provider responds that it is busy and states a waiting time, repeats it after that time. Throws ProviderError for a
 * failure.
 */
function asker(setup: HttpSetup, toRequest: RequestMaker): Ask {
  const delayOf = retryPolicy(setup);
  const send = setup.sendsDelayed ? setup.send : delayed(setup.send);
  return async (details, read) => {
    let request = toRequest(details);
    for (let repeats = 0; ; repeats++) {
      const answer = await send(request);
      const isSuccess = answer.status >= 200 && answer.status < 300;
      const body = isSuccess ? read(answer) : readBody(answer);
      const stated = body instanceof Uint8Array ? undefined : setup.failedWhen?.(body);
      if (isSuccess && !stated) return [answer, body as ReturnType<typeof read>];
      const error = toProviderError(answer, stated, setup, request.url);
      const busy = { isBusy: isBusy(answer, error.code, setup.rateLimit), waitSeconds: error.retryAfter };
      const delayMs = delayOf({ request, repeats, ...busy });
      if (delayMs === undefined) throw error;
      request = { ...request, delayMs };
    }
  };
}

type RequestMaker = (request: HttpRequest) => SendRequest;

/**
 * Methods of requests with an idempotency key. PUT is idempotent (RFC 9110, section 9.2.2), but some providers, such as Xero, create resources with
 * it. DELETE needs no key, because a second DELETE does no harm.
 */
const WITH_KEY = new Set(['POST', 'PUT', 'PATCH']);

/** Numbers the writes of a run, so that a repeated run uses the same idempotency keys. */
function requestMaker(setup: HttpSetup): RequestMaker {
  const { idempotencyHeader, runId } = setup;
  let writes = 0;
  return (request) => {
    if (!idempotencyHeader || !runId || !WITH_KEY.has(request.method)) return toSendRequest(setup, request);
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
    // The error has no cause, because the message of the parser quotes the body.
    throw new ProviderError('The response of the provider is not JSON', { status });
  }
}

function lowerCaseNames(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
