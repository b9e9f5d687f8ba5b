import { ApiError, ConnectionError, RequestTimeoutError } from './api-error.js';
import { readError } from './read-error.js';
import { pause, retryDelay } from './retry.js';

/** How the client reaches an instance of Drawbridge. */
export interface ClientOptions {
  /** The address of the instance, such as `https://drawbridge.example.com`. Defaults to the variable DRAWBRIDGE_URL. */
  baseUrl?: string;
  /** The API key, `svc_…`. Defaults to the variable DRAWBRIDGE_KEY. In a browser leave it out: a page must never contain a key. */
  apiKey?: string;
  /** The workspace of `actions.execute` and `actions.explain`, where the call names none. */
  workspaceId?: string;
  /** The longest time for a response, in milliseconds. Defaults to a minute, and to six for requests that wait for a provider or a program. */
  timeoutMs?: number;
  /** The number of retries of a request after a temporary failure, such as a rate limit. Defaults to 3. */
  maxRetries?: number;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Sends the requests, for example through a proxy. Defaults to the `fetch` of the platform. */
  fetch?: typeof fetch;
}

/** Options of one request. They override those of the client. */
export interface RequestOptions extends Pick<ClientOptions, 'timeoutMs' | 'maxRetries' | 'headers'> {
  /** Aborts the request and its retries. The call then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** A request as it is sent. */
export interface Sent<Result> {
  method: string;
  /** The path with its query string. */
  path: string;
  body?: unknown;
  isRepeatable: boolean;
  /** Whether the server may legitimately take minutes. */
  takesLong: boolean;
  /** Reads a successful response. The time limit includes it. */
  read(response: Response): Result | Promise<Result>;
}

const TIMEOUT_MS = 60_000;
const LONG_TIMEOUT_MS = 360_000;
const MAX_RETRIES = 3;

/** Sends requests of one client. */
export type Send = <Result>(sent: Sent<Result>, options?: RequestOptions) => Promise<Result>;

/**
 * Returns a function that sends requests. It resolves with the content of a successful response, and otherwise rejects with the error of its code.
 */
export function sender(client: ClientOptions): Send {
  const baseUrl = requireUrl(client.baseUrl ?? variable('DRAWBRIDGE_URL'));
  const apiKey = toKey(client.apiKey ?? variable('DRAWBRIDGE_KEY'));
  const own = { ...(apiKey && { authorization: `Bearer ${apiKey}` }), 'x-svc-source': 'sdk', ...client.headers };

  return async (sent, options = {}) => {
    const maxRetries = options.maxRetries ?? client.maxRetries ?? MAX_RETRIES;
    const limit = options.timeoutMs ?? client.timeoutMs ?? (sent.takesLong ? LONG_TIMEOUT_MS : TIMEOUT_MS);
    const headers = { ...own, ...options.headers };
    for (let number = 0; ; number++) {
      try {
        return await attempt({ ...sent, baseUrl, headers, limit, signal: options.signal, by: client.fetch ?? fetch });
      } catch (error) {
        options.signal?.throwIfAborted();
        const delay = number < maxRetries ? retryDelay(error, { number, isRepeatable: sent.isRepeatable }) : undefined;
        if (delay === undefined) throw error;
        await pause(delay, options.signal);
      }
    }
  };
}

interface Attempt<Result> extends Sent<Result> {
  baseUrl: string;
  headers: Record<string, string>;
  limit: number;
  signal?: AbortSignal;
  by: typeof fetch;
}

async function attempt<Result>(request: Attempt<Result>): Promise<Result> {
  // In a browser, `fetch` throws if it is called as a method of another object.
  const { method, path, body, baseUrl, headers, limit, by } = request;
  const timer = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, timer.signal]) : timer.signal;
  const late = new RequestTimeoutError(`${method} ${path} got no response within ${limit} ms`);
  const timeout = setTimeout(() => timer.abort(late), limit);
  try {
    const response = await by(baseUrl + path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      // The API never redirects. If `fetch` followed the redirect of a proxy, a POST could become a GET of another operation.
      redirect: 'manual',
    });
    if (!response.ok) throw await readError(response);
    return await request.read(response);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ApiError) throw error;
    throw new ConnectionError(`${method} ${baseUrl}${path} failed: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timeout);
  }
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = Object(error) as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}

function requireUrl(text: string | undefined): string {
  if (text && /^https?:\/\/./.test(text)) return text.replace(/\/+$/, '');
  throw new TypeError(
    `baseUrl must be the http or https address of your Drawbridge instance (got ${text ?? 'none'}). Pass it, or set DRAWBRIDGE_URL.`,
  );
}

/**
 * Returns the API key without spaces around it. Throws TypeError if a header cannot contain it, because the error of `fetch` would reveal the key.
 */
function toKey(text = ''): string {
  const key = text.trim();
  if (/^[!-~]*$/.test(key)) return key;
  throw new TypeError('apiKey must be the text of one API key, in ASCII and without spaces');
}

/** Returns an environment variable. Returns undefined on platforms without `process.env`, such as browsers. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
