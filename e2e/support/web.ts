import { type Api, apiWith } from './api.js';

/** Imitates a browser on Drawbridge's pages: it stores cookies, sends the Origin header, and submits forms. */
export interface Web {
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** Submits the fields as a form. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Shown>;
  send(method: string, path: string, options?: { body?: string; headers?: Record<string, string> }): Promise<Shown>;
  cookies: Map<string, string>;
}

export interface Shown {
  status: number;
  text: string;
  /** The Location header. */
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

/** Returns the API as a page's script calls it, with the browser's session cookie. */
export function apiOfPage(baseUrl: string, { cookies }: Web): Api {
  return apiWith(baseUrl, { cookie: `session=${cookies.get('session')}`, origin: baseUrl });
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}
