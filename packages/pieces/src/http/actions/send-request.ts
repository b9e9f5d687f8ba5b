import { action, InputError, readBody, toFile, type Answer, type JsonObject } from '@drawbridge/piece-kit';
import { isReserved } from '../headers.js';
import { properties } from '../properties.js';
import { toBody } from '../to-body.js';

/** An answer outside 2xx fails the action, as in the HTTP steps of other automation tools, unless `failOnError` is false. */
export const sendRequest = action({
  displayName: 'Send request',
  description: 'Sends one HTTP request and answers with its status, headers and body.',
  category: 'write',
  props: properties,
  run: async ({ http, input, auth }) => {
    const { method, url, query, headers = {}, timeoutSeconds, failOnError = true } = input;
    requireFreeHeaders(headers);
    const body = toBody(input);
    const request = {
      method,
      path: requireUrl(url),
      query,
      ...body,
      headers: { ...body.headers, ...lowerCaseNames(headers) },
      timeoutMs: timeoutSeconds && timeoutSeconds * 1000,
      // Elsewhere, egress drops Authorization; what else a connection's own headers may reveal there it cannot know.
      ...(auth?.type === 'CUSTOM_AUTH' && { maxRedirects: 0 }),
    };
    return toResult(await (failOnError ? http.request(request) : http.send(request)));
  },
});

function requireUrl(url: string): string {
  if (!URL.canParse(url)) throw new InputError('url', 'is not a URL');

  const { username, password } = new URL(url);
  if (username || password) throw new InputError('url', 'must not carry credentials: use a connection');
  return url;
}

function requireFreeHeaders(headers: Record<string, string>): void {
  const reserved = Object.keys(headers).find(isReserved);
  if (reserved) throw new InputError('headers', `must not set ${reserved}`);
}

/** Before they meet ours, so that `Content-Type` replaces `content-type`. */
function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function toResult(answer: Answer): JsonObject {
  const body = readBody(answer);
  return { status: answer.status, headers: answer.headers, body: body instanceof Uint8Array ? toFile(answer) : body };
}
