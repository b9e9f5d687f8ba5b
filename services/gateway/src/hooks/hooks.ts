import { ApiError, invalid, notFound, requireParsable } from '@drawbridge/contracts';
import { atMost } from '@drawbridge/rpc';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { clientNetwork, type Subject } from '../admission/concurrency-limits.js';
import { type RateLimits } from '../admission/rate-limits.js';
import { type RequestSlots, slotsOf } from '../admission/request-slots.js';
import { type Clients } from '../clients.js';
import { readBody } from '../http/read-body.js';
import { contextOf } from '../http/request-context.js';
import { requireValidHeaders } from '../http/require-headers.js';

const PATH = '/api/v1/webhooks/{integration}/{hook}';
const APP = 'app';
const INTEGRATION = /^[a-z0-9][a-z0-9-]{0,63}$/;
const HOOK = /^[A-Za-z0-9_-]{32}$/;
/** Providers send events by POST. Some test the address with another method: Dropbox with GET, Intercom with HEAD. */
const METHODS = ['GET', 'HEAD', 'POST'];

const MAX_BODY_BYTES = 5 * 1_048_576;
/** Maximum number of known senders: pairs of a webhook endpoint and a network from which it accepted events. The least recently used are evicted. */
const MAX_ACCEPTED = 50_000;

type HookRequest = Request<Record<'integration' | 'hook', string>>;
type Hooks = Pick<Clients['hooks'], 'receiveHook'>;

/**
 * Receives events from providers. It requires no API key, because each event authenticates itself, and forwards the bytes unchanged. There is no rate
 * limit per network, because a provider sends the events of all its customers from few addresses.
 */
export function hookDoor(hooks: Hooks, limits: Pick<RateLimits, 'show'>): Router {
  const accepted = new LRUCache<string, true>(atMost(MAX_ACCEPTED));

  const receive: RequestHandler<HookRequest['params']> = async (request, response) => {
    response.locals['route'] = PATH;
    response.set({ 'Cache-Control': 'no-store', Allow: METHODS.join(', ') });
    const { integration, hook } = request.params;
    requireKnowable(integration, hook);
    requireMethod(request);
    const sender = { hook: `${integration}/${hook}`, network: clientNetwork(contextOf(response).address) };
    const slots = slotsOf(response);
    // The body is read before the request takes its slots, so that a client that sends slowly does not occupy a slot that other clients need.
    const body = await readBytes(request, response, () => slots.take('webhook body past 64 kB', sender));
    const pair = `${sender.hook} ${sender.network}`;
    await takeHookSlots(slots, sender, () => accepted.has(pair));
    const reply = await hooks.receiveHook({
      ...{ integrationName: integration, hookId: hook === APP ? undefined : hook },
      ...{ method: request.method, url: request.originalUrl, headers: toHeaders(request), body },
    });
    if (reply.isStored) accepted.set(pair, true);
    // A handshake response echoes untrusted input, so no browser may render it as a page.
    response.set({ 'Content-Security-Policy': "default-src 'none'; sandbox", ...reply.headers });
    response.status(reply.status).end(reply.body);
  };
  const path = '/api/v1/webhooks/:integration/:hook';
  return Router().all(path, showLimits(limits)).all(path, requireValidHeaders).all(path, receive);
}

/**
 * Takes the slots of the sender's network first, then those of the webhook endpoint. `isKnown` is called after the wait for the network's slots,
 * because an event of this network may be accepted during that wait.
 */
export async function takeHookSlots(
  slots: Pick<RequestSlots, 'take'>,
  sender: Subject,
  isKnown: () => boolean,
): Promise<void> {
  await slots.take('webhook request', sender);
  await slots.take(isKnown() ? 'webhook request of a known sender' : 'webhook request of an unknown sender', sender);
}

/** Adds the rate-limit headers of the sender's network to every response, like every endpoint. Webhook requests do not count towards this limit. */
function showLimits(limits: Pick<RateLimits, 'show'>): RequestHandler {
  return async (_request, response, next) => {
    await limits.show(response, undefined, contextOf(response).address);
    next();
  };
}

/** Rejects malformed webhook paths without an RPC. Throws NOT_FOUND. */
function requireKnowable(integration: string, hook: string): void {
  if (!INTEGRATION.test(integration) || (hook !== APP && !HOOK.test(hook))) throw notFound('Webhook', 'of that path');
}

function requireMethod({ method }: HookRequest): void {
  if (METHODS.includes(method)) return;
  throw new ApiError('METHOD_NOT_ALLOWED', `${method} is not allowed here; allowed: ${METHODS.join(', ')}`);
}

/** Rejects compressed bodies with 415: a signature covers the bytes as sent, and a few compressed bytes could expand to 5 MiB. */
async function readBytes(request: HookRequest, response: Response, makeRoom: () => Promise<void>): Promise<Buffer> {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    response.setHeader('Accept-Encoding', 'identity');
    const message = 'must be absent, because a signature covers the uncompressed bytes';
    throw new ApiError('VALIDATION_ERROR', `Content-Encoding: ${message}`, {
      status: 415,
      details: { fields: { 'Content-Encoding': { message } } },
    });
  }
  const body = await readBody(request, { limit: MAX_BODY_BYTES, makeRoom });
  requireReadable(request.get('content-type') ?? '', body);
  return body;
}

function toHeaders({ headers }: HookRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** Limits on the content of a body, well above real events: a push of 2,048 commits contains 60,000 values. */
export const MOST = { values: 200_000, members: 80_000, levels: 64, controls: 500_000 };

const JSON_TYPE = /^application\/(.+\+)?json$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Bodies of these types are read as text and encoded as a JSON string. */
const TEXT_TYPE = /^text\/|[/+](json|xml|javascript|yaml|x-www-form-urlencoded)$/;
const AMPERSAND = 0x26;
const OPEN_OBJECT = 0x7b;
/** White space of JSON (RFC 8259, 2). */
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const SPACE = 0x20;
/** Control characters with a two-byte escape in JSON: backspace, tab, line feed, form feed, carriage return. */
const SHORT = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/**
 * Limits the content of a body according to its media type, because the cost of reading it depends on the number of values more than on the number of
 * bytes. Throws VALIDATION_ERROR.
 */
export function requireReadable(contentType: string, body: Uint8Array): void {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (JSON_TYPE.test(type) || (type === '' && isObject(body))) requireParsable(body, MOST);
  if (type === FORM_TYPE) requireFewFields(body);
  if (TEXT_TYPE.test(type)) requireFewControls(body);
}

/** Returns whether a body without a media type begins like a JSON object; then it is read as JSON. */
function isObject(body: Uint8Array): boolean {
  return body.find((byte) => !SPACES.has(byte)) === OPEN_OBJECT;
}

/** Limits control characters, because JSON needs six bytes for each, except for the few with a short escape. Throws VALIDATION_ERROR. */
function requireFewControls(body: Uint8Array): void {
  if (body.length <= MOST.controls) return;
  let controls = 0;
  for (const byte of body) if (byte < SPACE && !SHORT.has(byte)) controls++;
  if (controls > MOST.controls)
    throw invalid({ body: `must not contain more than ${MOST.controls} control characters` });
}

function requireFewFields(body: Uint8Array): void {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) fields++;
  if (fields > MOST.members) throw invalid({ body: `must have at most ${MOST.members} fields` });
}
