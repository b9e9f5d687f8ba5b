import { createHash, randomBytes } from 'node:crypto';
import { type Answer, apiWith } from './api.js';
import { type Web } from './web.js';

export const REDIRECT = 'http://127.0.0.1:7777/callback';

/** A client that registered itself. It behaves like the official client, but tests can change every value. */
export interface Program {
  clientId: string;
  verifier: string;
  /** Returns the query of the authorization request. */
  query(changes?: Record<string, string | undefined>): string;
}

export const register = (baseUrl: string, metadata: object = {}): Promise<Answer> =>
  apiWith(baseUrl, {}).post('/oauth/register', { redirect_uris: [REDIRECT], client_name: 'Test', ...metadata });

export async function program(baseUrl: string, resource: string): Promise<Program> {
  const { status, body } = await register(baseUrl);
  if (status !== 201) throw new Error(`Registering returned ${status}: ${JSON.stringify(body)}`);
  const verifier = randomBytes(32).toString('base64url');
  const asked = {
    ...{ response_type: 'code', client_id: body.client_id, redirect_uri: REDIRECT, resource, state: 's' },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  };
  return {
    clientId: body.client_id,
    verifier,
    query: (changes = {}) => formOf({ ...asked, ...changes }),
  };
}

/** Returns the form without the fields that have no value. */
function formOf(fields: Record<string, string | undefined>): string {
  const entries = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(entries).toString();
}

/** Returns the hidden value of the consent page, which the form sends with the user's decision. */
export const seenIn = (page: string): string => /name="seen" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';

/** Consents as the user. Returns the parameters of the redirect to the client. */
export async function allow(web: Web, { query }: Pick<Program, 'query'>): Promise<URLSearchParams> {
  const path = `/oauth/authorize?${query()}`;
  const seen = seenIn((await web.get(path)).text);
  const { status, to, text } = await web.post(path, { decision: 'allow', seen });
  if (status !== 303 || to === null) throw new Error(`It was not allowed: ${status} ${text.slice(0, 500)}`);
  return new URL(to).searchParams;
}

export function askTokens(baseUrl: string, fields: Record<string, string | undefined>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return apiWith(baseUrl, {}).send('POST', '/oauth/token', { text: formOf(fields), headers });
}

export const redeem = (baseUrl: string, { clientId, verifier }: Program, code: string, changes: object = {}) =>
  askTokens(baseUrl, {
    ...{ grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: REDIRECT, code_verifier: verifier },
    ...changes,
  });

export const refresh = (baseUrl: string, { clientId }: Program, token: string, changes: object = {}) =>
  askTokens(baseUrl, { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...changes });
