import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request that the gateway has accepted before its body is sent. */
export interface BegunRequest {
  /** Sends the body. */
  finish(): Promise<{ status: number; body: any }>;
}

/** Resolves when the gateway asks for the body. By then it has authenticated the caller. */
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
