import { verifyWebhook, type VerifyOptions, type WebhookEvent, WebhookVerificationError } from './webhooks.js';

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

/** Returns a handler for Express and for `http.createServer`. Register it in front of `express.json()`, or behind `express.raw()`. */
export function expressWebhook(options: WebhookHandlerOptions) {
  return async (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void): Promise<void> => {
    try {
      const body = await rawBody(request);
      response.statusCode = await handle({ headers: request.headers, body }, options);
      response.end();
    } catch (error) {
      if (!next) throw error;
      next(error);
    }
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

/** Reads the body, unless the framework has read it already. A parsed body is useless: its signature cannot be verified. */
async function rawBody(request: NodeRequest): Promise<Uint8Array | string> {
  const { body } = request;
  if (body instanceof Uint8Array || typeof body === 'string') return body;
  if (body !== undefined) {
    throw new TypeError(
      'The body is parsed already: register expressWebhook() in front of express.json(), or use express.raw()',
    );
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
