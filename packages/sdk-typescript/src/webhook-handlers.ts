import { bytes, verifyWebhook, type VerifyOptions, type WebhookEvent, WebhookVerificationError } from './webhooks.js';

export interface WebhookHandlerOptions extends VerifyOptions {
  /** Handles an event. If it throws, the server answers with an error and Drawbridge sends the event again. */
  onEvent(event: WebhookEvent): void | Promise<void>;
}

/**
 * Returns a handler for servers of the web platform: Next.js (`export const POST = webhookHandler(…)`), Hono
 * (`app.post('/events', (c) => handler(c.req.raw))`), Deno, Bun, Cloudflare.
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = new Uint8Array(await request.arrayBuffer());
    const status = await handle({ headers: request.headers, body }, options);
    return new Response(null, { status });
  };
}

/** Larger than any webhook of Drawbridge. The body is read before its signature is known. */
const MAX_BODY_BYTES = 16 * 1_048_576;

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
 * Returns a handler for Express and for `http.createServer`. Register it in front of `express.json()`, or behind `express.raw()`. An error goes to
 * Express; without Express it is written to the console, and the response is 500. A body of more than 16 MiB is refused.
 */
export function expressWebhook(options: WebhookHandlerOptions) {
  return async (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void): Promise<void> => {
    try {
      const body = await rawBody(request);
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
  try {
    await onEvent(await verifyWebhook(received, options));
    return 204;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    throw error;
  }
}

/**
 * Reads the body, unless the framework has read it already. Returns undefined if it is too large. A parsed body is useless: its signature cannot be
 * verified.
 */
async function rawBody(request: NodeRequest): Promise<Uint8Array | string | undefined> {
  const { body } = request;
  if (body instanceof Uint8Array || typeof body === 'string') return body;
  if (body !== undefined) {
    throw new TypeError(
      'The body is parsed already: register expressWebhook() in front of express.json(), or use express.raw()',
    );
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return bytes(...chunks);
}
