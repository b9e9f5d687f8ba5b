import { ApiError, notFound } from '@drawbridge/contracts';
import { TenantLimiter } from '@drawbridge/turns';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { clientNetwork } from '../auth/client-network.js';
import { type Clients } from '../clients.js';
import { releaseOnClose, waitForTurn } from '../http/concurrency-limit.js';
import { readBody } from '../http/read-body.js';
import { contextOf } from '../http/request-context.js';
import { requireValidHeaders } from '../http/require-valid-headers.js';
import { requireReadable } from './require-readable.js';

const PATH = '/api/v1/webhooks/{integration}/{hook}';
const APP = 'app';
const INTEGRATION = /^[a-z0-9][a-z0-9-]{0,63}$/;
const HOOK = /^[A-Za-z0-9_-]{32}$/;
const METHODS = ['GET', 'POST'];

const MAX_BODY_BYTES = 5 * 1_048_576;
/** Of one address, fewer than there are database connections: a burst waits, and keeps no other waiting. */
const AT_ONE_HOOK = { atOnce: 6, waiting: 10_000 };
/** From one network: whoever asks for hooks that there are not, each time another, keeps nobody waiting but themselves. */
const FROM_ONE_NETWORK = { atOnce: 24, waiting: 20_000 };
/** The same, of large bodies, held in memory before anybody has proven anything. */
const LARGE_FROM_ONE_NETWORK = { atOnce: 8, waiting: 1_000 };

interface Place {
  integration: string;
  hook: string;
}

type HookRequest = Request<Place & Record<string, string>>;
type Hooks = Pick<Clients['hooks'], 'receiveHook'>;

/**
 * Where third parties tell of events. Anybody may send there, and no key is asked for: what is sent proves by itself who sent it. Its bytes
 * are handed on as they came. A window of requests for each network there is not: a third party has few addresses for all its clients.
 */
export function hookDoor(hooks: Hooks): Router {
  const [atHooks, fromNetworks] = [new TenantLimiter(AT_ONE_HOOK), new TenantLimiter(FROM_ONE_NETWORK)];
  const large = new TenantLimiter(LARGE_FROM_ONE_NETWORK);

  const receive: RequestHandler<HookRequest['params']> = async (request, response) => {
    response.locals['route'] = PATH;
    response.set({ 'Cache-Control': 'no-store', Allow: METHODS.join(', ') });
    const { integration, hook } = request.params;
    requireKnowable(integration, hook);
    requireMethod(request);
    const { signal, address } = contextOf(response);
    const [at, network] = [`${integration}/${hook}`, clientNetwork(address)];
    const takeTurn = async (turns: TenantLimiter, of: string, by?: string): Promise<void> =>
      releaseOnClose(response, await waitForTurn(turns, of, signal, by));
    // First, and in this order: whoever sends slowly, or waits for a hook, holds no turn that others from the same network need.
    const body = await readBytes(request, response, () => takeTurn(large, network, at));
    await takeTurn(atHooks, at);
    await takeTurn(fromNetworks, network, at);
    const reply = await hooks.receiveHook({
      ...{ integrationName: integration, hookId: hook === APP ? undefined : hook },
      ...{ method: request.method, url: request.originalUrl, headers: headersOf(request), body },
    });
    // What a handshake repeats is somebody else's text: no browser makes a page of it.
    response.set({ 'Content-Security-Policy': "default-src 'none'; sandbox", ...reply.headers });
    response.status(reply.status).end(reply.body);
  };
  const path = '/api/v1/webhooks/:integration/:hook';
  return Router().all(path, requireValidHeaders).all(path, receive);
}

/** Whatever is not written like one is none, without a question. */
function requireKnowable(integration: string, hook: string): void {
  if (!INTEGRATION.test(integration) || (hook !== APP && !HOOK.test(hook))) throw notFound('Webhook', 'of that path');
}

function requireMethod({ method }: HookRequest): void {
  if (METHODS.includes(method)) return;
  throw new ApiError('METHOD_NOT_ALLOWED', `${method} is not allowed here; allowed: ${METHODS.join(', ')}`);
}

/** Not decompressed: a signature is of what was sent, and a few bytes might become 5 MiB. */
async function readBytes(request: HookRequest, response: Response, makeRoom: () => Promise<void>): Promise<Buffer> {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    response.setHeader('Accept-Encoding', 'identity');
    throw new ApiError('VALIDATION_ERROR', 'Content-Encoding: must be absent', {
      status: 415,
      details: { fields: { 'Content-Encoding': { message: 'must be absent' } } },
    });
  }
  const body = await readBody(request, { limit: MAX_BODY_BYTES, makeRoom });
  requireReadable(request.get('content-type') ?? '', body);
  return body;
}

function headersOf({ headers }: HookRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
