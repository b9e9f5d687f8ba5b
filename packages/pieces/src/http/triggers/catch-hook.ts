import { randomUUID } from 'node:crypto';
import { json, readBody, shortText, trigger, type JsonObject, type WebhookRequest } from '@drawbridge/piece-kit';
import { NAME } from '../properties.js';
import { headerOf, isProven, namesOf, proofOf } from './sender-proof.js';

/** The id header of the Standard Webhooks specification. */
const ID_HEADER = 'webhook-id';
const ALWAYS = ['content-type', 'user-agent'];
const FORM = 'application/x-www-form-urlencoded';

/** Accepts requests from senders that have the URL or, with a connection, that send the headers of the connection. */
export const catchHook = trigger({
  kind: 'webhook',
  displayName: 'Catch hook',
  description:
    'Runs when a request arrives at the URL of this trigger. With a connection, the request must contain the headers that the connection sends.',
  props: {
    idHeader: shortText('ID header', {
      description: 'Header with the delivery id; a repeated id is ignored. Defaults to Webhook-Id.',
      pattern: NAME,
      maxLength: 100,
    }),
    headers: json('Headers', {
      description: 'Headers to include in events besides Content-Type and User-Agent: ["X-Shop"].',
      schema: { type: 'array', items: { type: 'string', pattern: NAME, maxLength: 100 }, maxItems: 50 },
    }),
  },
  sample: {
    headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
    query: { from: 'shop' },
    body: { order: 1347, total: 12.5 },
  },
  enable: async ({ auth, webhookUrl, input: { headers = [] } }) => ({
    state: {},
    secret: proofOf({ auth, webhookUrl, shown: headers }),
  }),
  disable: async () => {},
  verify: (request, { secret }) => isProven(request, secret),
  events: (request, { idHeader = ID_HEADER, headers = [] }) => {
    // Equal bodies may be different events, so an event without an id is never a duplicate.
    const id = headerOf(request, idHeader.toLowerCase()) || randomUUID();
    const names = new Set([...ALWAYS, ...namesOf(headers)]);
    const shown = Object.entries(request.headers).filter(([name]) => names.has(name));
    const data = { headers: Object.fromEntries(shown), query: queryOf(request), body: bodyOf(request) };
    return [{ id, data }];
  },
});

function queryOf({ url }: WebhookRequest): JsonObject {
  const from = url.indexOf('?');
  return from < 0 ? {} : toFields(url.slice(from + 1));
}

/** Returns the body of an event. Bytes become a FILE. */
function bodyOf(request: WebhookRequest): JsonObject[string] {
  const body = readBody(request);
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (body instanceof Uint8Array) {
    const mimeType = type.trim() || 'application/octet-stream';
    return { filename: 'body', mimeType, base64: Buffer.from(body).toString('base64') };
  }
  return typeof body === 'string' && type.trim() === FORM ? toFields(body) : body;
}

/** Converts a form to an object. Repeated names become a list. Takes linear time, because a form may have very many fields. */
function toFields(text: string): JsonObject {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  );
}
