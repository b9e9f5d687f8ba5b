import { type Api, apiWith } from './api.js';

/** What a browser does with our pages, without being one: it keeps cookies, names its origin, and sends forms. */
export interface Web {
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** A form, or with JSON what a script of ours would send. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Shown>;
  send(method: string, path: string, options?: { body?: string; headers?: Record<string, string> }): Promise<Shown>;
  cookies: Map<string, string>;
}

export interface Shown {
  status: number;
  text: string;
  /** Where it sends the browser. */
  to: string | null;
  headers: Headers;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export function webOf(baseUrl: string, cookies = new Map<string, string>()): Web {
  const send: Web['send'] = async (method, path, { body, headers = {} } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const origin: Record<string, string> = method === 'GET' ? {} : { origin: baseUrl };
    const all = { ...(cookie && { cookie }), ...origin, ...headers };
    const response = await fetch(baseUrl + path, { method, body, headers: all, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const to = response.headers.get('location');
    return { status: response.status, text: await response.text(), to, headers: response.headers };
  };
  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, { headers }),
    post: (path, fields = {}, headers) =>
      send('POST', path, { body: new URLSearchParams(fields).toString(), headers: { ...FORM, ...headers } }),
  };
}

/** The interface as a script of a page sees it, in that browser. */
export function apiOfPage(baseUrl: string, { cookies }: Web): Api {
  return apiWith(baseUrl, { cookie: `session=${cookies.get('session')}`, origin: baseUrl });
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}
