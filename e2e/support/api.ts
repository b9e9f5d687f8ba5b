import { requireDeclared } from './declared-answers.js';

export interface Answer {
  status: number;
  /** The parsed JSON, the text if it is not JSON, or undefined without a body. */
  body: any;
  headers: Headers;
}

export interface Sent {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, with the content type in `headers`. */
  text?: string;
  signal?: AbortSignal;
}

/** The public API with the credentials of one caller. Paths are complete: `/api/v1/workspaces?limit=2`. */
export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a request with any method and any body. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
}

/** Returns the API for a key, or for an anonymous caller without `key`. */
export function apiOf(baseUrl: string, key?: string): Api {
  return apiWith(baseUrl, key === undefined ? {} : { authorization: `Bearer ${key}` });
}

/** Returns the API with these headers. Its methods throw if the OpenAPI document does not declare the response. */
export function apiWith(baseUrl: string, own: Record<string, string>): Api {
  const send: Api['send'] = async (method, path, { headers, body, text, signal } = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...own, ...type, ...headers },
      body: body === undefined ? text : JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    const answer = { status: response.status, body: parsed(await response.text()), headers: response.headers };
    requireDeclared(method, path, answer);
    return answer;
  };
  return {
    send,
    get: (path, headers) => send('GET', path, { headers }),
    post: (path, body, headers) => send('POST', path, { body, headers }),
    patch: (path, body, headers) => send('PATCH', path, { body, headers }),
    delete: (path, headers) => send('DELETE', path, { headers }),
  };
}

/** Returns the key or token with a different last character. */
export const misspelt = (key: string): string => `${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`;

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
