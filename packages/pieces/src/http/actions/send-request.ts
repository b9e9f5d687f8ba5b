import { action, InputError, isUrl, readBody, toFile, type Answer, type JsonObject } from '@drawbridge/piece-kit';
import { properties } from '../properties.js';
import { toBody } from '../to-body.js';

/** A status outside of 2xx fails the action unless `failOnError` is false, as in the HTTP steps of other automation tools. */
export const sendRequest = action({
  displayName: 'Send request',
  description: 'Sends one HTTP request and returns the status, headers and body of the response.',
  category: 'write',
  props: properties,
  run: async ({ http, input }) => {
    const { method, url, query, headers, timeoutSeconds, failOnError = true } = input;
    if (!isUrl(url)) throw new InputError('url', 'is not a URL');

    const timeoutMs = timeoutSeconds && timeoutSeconds * 1000;
    const request = { method, path: url, query, headers, ...toBody(input), timeoutMs };
    return toResult(await (failOnError ? http.request(request) : http.send(request)));
  },
});

/** Returns the result. A body that is neither JSON nor text is a FILE. An absent body is null. */
export function toResult(answer: Answer): JsonObject {
  const body = readBody(answer);
  return { status: answer.status, headers: answer.headers, body: body instanceof Uint8Array ? toFile(answer) : body };
}
