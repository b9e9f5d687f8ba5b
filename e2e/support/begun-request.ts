import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request that the gateway has accepted, with a body that is not sent yet. */
export interface BegunRequest {
  /** Sends the body. */
  finish(): Promise<{ status: number; body: any }>;
}

/** Resolves when the gateway requests the body. The caller is then already authenticated. */
export async function begin(url: string, headers: Record<string, string>, body: unknown): Promise<BegunRequest> {
  const all = { ...headers, 'content-type': 'application/json', expect: '100-continue' };
  const request = httpRequest(url, { method: 'POST', headers: all });
  request.flushHeaders();
  await once(request, 'continue');
  return {
    async finish() {
      const answered = once(request, 'response') as Promise<[IncomingMessage]>;
      request.end(JSON.stringify(body));
      const [response] = await answered;
      return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
    },
  };
}
