import { requireDeclared } from './declared-answers.js';

export interface Answer {
  status: number;
  /** Parsed JSON; the text itself when it is none; undefined when there is no body. */
  body: any;
  headers: Headers;
}

export interface Sent {
  headers?: Record<string, string>;
  /** Goes out as JSON. */
  body?: unknown;
  /** Goes out as it is, with the content type that `headers` give. */
  text?: string;
  signal?: AbortSignal;
}

/** The public interface as one key sees it. Paths are whole: `/api/v1/workspaces?limit=2`. */
export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Any method, any bytes. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
}

/** `key` is left out by a caller who has none. */
export function apiOf(baseUrl: string, key?: string): Api {
  return apiWith(baseUrl, key === undefined ? {} : { authorization: `Bearer ${key}` });
}

/** The public interface with these headers. Throws for an answer that the OpenAPI document does not declare. */
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

/** A key or token that is another at its last letter, whatever that is. */
export const misspelt = (key: string): string => `${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`;

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
