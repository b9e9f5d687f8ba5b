import { connectedHost, parseUrl } from '@drawbridge/contracts';
import { EgressError } from '@drawbridge/egress/egress-error';
import { type Send } from '@drawbridge/piece-kit';
import { type HostFunction, HostError, type JsonValue } from '@drawbridge/sandbox';
import { type RequireRedirect } from './gate.js';

/** Limits of one request of the code. A run makes at most 1,000 requests, and at most 50 at the same time. */
const MAX = { timeoutMs: 30_000, requestBytes: 1024 * 1024, answerBytes: 2 * 1024 * 1024, redirects: 5, headers: 100 };

interface Sending {
  send: Send;
  /**
   * Checks a host against the policies. It is also called for the first URL, because the policies evaluated the input of the action and not the URLs
   * that the code computes.
   */
  requireRedirect?: RequireRedirect;
}

/** Returns the `fetch` function for code. It sends requests through egress without a credential. Request and response bodies are strings. */
export function codeFetch({ send, requireRedirect }: Sending): HostFunction {
  return async ({ args: [url, options], signal }) => {
    const request = toRequest(url, options);
    try {
      await requireRedirect?.(hostOf(request.url));
      const { status, headers, body } = await send({ ...request, signal });
      return { status, headers, body: new TextDecoder().decode(body) };
    } catch (error) {
      if (error instanceof EgressError) throw new HostError(error.message, { code: error.code });
      throw error;
    }
  };
}

function toRequest(url: JsonValue | undefined, options: JsonValue | undefined): Parameters<Send>[0] {
  if (typeof url !== 'string') throw refuse('fetch requires a URL as its first argument');
  const { method = 'GET', headers = {}, body = null, redirect = 'follow' } = isObject(options) ? options : {};
  if (typeof method !== 'string') throw refuse('method must be a string');
  if (body !== null && typeof body !== 'string') throw refuse('body must be a string');
  if (body !== null && Buffer.byteLength(body) > MAX.requestBytes)
    throw refuse(`body must have at most ${MAX.requestBytes} bytes`);
  return {
    method,
    url,
    headers: toHeaders(headers),
    body: body ?? undefined,
    timeoutMs: MAX.timeoutMs,
    maxBytes: MAX.answerBytes,
    maxRedirects: redirect === 'follow' ? MAX.redirects : 0,
  };
}

function toHeaders(headers: JsonValue): Record<string, string> {
  const given = isObject(headers) ? Object.entries(headers) : [];
  if (given.length > MAX.headers) throw refuse(`a request has at most ${MAX.headers} headers`);
  const wrong = given.find(([, value]) => typeof value !== 'string');
  if (wrong) throw refuse(`header ${wrong[0].slice(0, 100)} must be a string`);
  return Object.fromEntries(given) as Record<string, string>;
}

const isObject = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (message: string): HostError => new HostError(message.slice(0, 500), { code: 'INVALID_REQUEST' });

function hostOf(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) throw refuse('fetch requires an absolute URL');
  return connectedHost(parsed);
}
