import { bytes, verifyWebhook, type VerifyOptions, type WebhookEvent, WebhookVerificationError } from './webhooks.js';

export interface WebhookHandlerOptions extends VerifyOptions {
  /** Handles an event. If it throws, the server answers with an error and Drawbridge sends the event again. */
  onEvent(event: WebhookEvent): void | Promise<void>;
  /**
   * The largest body that is read. The handler rejects a larger one with 413, because anyone can send a body: its signature can be verified only
   * after it was read. Defaults to 16 MiB, because Drawbridge forwards events of up to 5 MiB with all their headers. Choose less if your providers
   * send small events.
   */
  maxBodyBytes?: number;
}

const MAX_BODY_BYTES = 16 * 1_048_576;

/**
 * Returns a handler for servers of the web platform: Next.js (`export const POST = webhookHandler(…)`), Hono
 * (`app.post('/events', (c) => handler(c.req.raw))`), Deno, Bun, Cloudflare.
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await readUpTo(options, chunksOf(request.body));
    const status = body ? await handle({ headers: request.headers, body }, options) : 413;
    return new Response(null, { status });
  };
}

/** Yields the chunks of a body. It uses a reader, because not every browser and runtime can iterate over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (!value) return;
      yield value;
    }
  } finally {
    await reader?.cancel();
  }
}

/** The part of a request of Express, or of Node.js itself, that is needed. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>;
  /** The raw bytes if `express.raw()` has read them. */
  body?: unknown;
}

interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

/**
 * Returns a handler for Express and for `http.createServer`. Register it before `express.json()`, or after `express.raw()`, which has its own limit
 * for the size of a body. An error is passed to Express. Without Express it is written to the console, and the response is 500.
 */
export function expressWebhook(options: WebhookHandlerOptions) {
  return async (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void): Promise<void> => {
    try {
      const body = await rawBody(request, options);
      response.statusCode = body === undefined ? 413 : await handle({ headers: request.headers, body }, options);
    } catch (error) {
      if (next) return next(error);
      // A rejection would end the process, and a client that hangs up while it sends causes one.
      // eslint-disable-next-line no-console -- The program would not see the error otherwise.
      console.error(error);
      response.statusCode = 500;
    }
    response.end();
  };
}

async function handle(
  received: Parameters<typeof verifyWebhook>[0],
  { onEvent, ...options }: WebhookHandlerOptions,
): Promise<number> {
  const event = await verifyWebhook(received, options).catch(unlessRefused);
  if (event === undefined) return 401;
  await onEvent(event);
  return 204;
}

/** Returns undefined for a request that is not from Drawbridge, or too old. Rethrows any other error. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof WebhookVerificationError) return undefined;
  throw error;
}

/**
 * Reads the body, unless the framework has read it already. Returns undefined if it is too large. A parsed body is useless: its signature cannot be
 * verified.
 */
async function rawBody(request: NodeRequest, options: WebhookHandlerOptions): Promise<Uint8Array | string | undefined> {
  const { body } = request;
  if (body instanceof Uint8Array || typeof body === 'string') return body;
  if (body !== undefined) {
    throw new TypeError(
      'The body is parsed already: register expressWebhook() in front of express.json(), or use express.raw()',
    );
  }
  return readUpTo(options, request);
}

/** Returns undefined if the body is too large. */
async function readUpTo(
  { maxBodyBytes = MAX_BODY_BYTES }: WebhookHandlerOptions,
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return bytes(...chunks);
}
