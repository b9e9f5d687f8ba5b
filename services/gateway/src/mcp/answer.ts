import { type Request, type Response } from 'express';
import { type RequestId } from './protocol/message.js';

/** What takes longer is told of meanwhile, where the client asked for that. */
const TOLD_AFTER_MS = 1_000;
/** Else its connection is kept from looking dead to proxies in between. */
const STREAM_AFTER_MS = 10_000;
const EVERY_MS = 5_000;

/** Proxies are asked to pass on what there is. */
export const STREAM_HEADERS = new Map([
  ['Content-Type', 'text/event-stream'],
  ['X-Accel-Buffering', 'no'],
]);

/** The text of a JSON value; in parts where one of them is kept as it is sent. */
export type JsonText = string | readonly (string | Buffer)[];

/** How one request is answered. */
export interface Answer {
  /** With a JSON-RPC result or error. */
  end(message: JsonText, status?: number): void;
}

/** Whose request it is that is answered, and what it wants to hear meanwhile. */
interface Answered {
  progressToken?: RequestId;
}

/**
 * One JSON text, or, where it takes long and the client reads one, a stream that says so every few seconds and ends with that text. Who closes
 * the stream cancels what was asked for.
 */
export function beginAnswer(request: Request, response: Response, { progressToken }: Answered): Answer {
  const startedAt = performance.now();
  const takesStream = acceptsStream(request);
  const tell = (): void => {
    if (response.closed) return stop();
    if (!response.headersSent) response.setHeaders(STREAM_HEADERS);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    response.write(
      progressToken === undefined ? ': it is still running\n\n' : toEvent(progress(progressToken, seconds)),
    );
    timer = setTimeout(tell, EVERY_MS);
  };
  const first = progressToken === undefined ? STREAM_AFTER_MS : TOLD_AFTER_MS;
  let timer = takesStream ? setTimeout(tell, first) : undefined;
  const stop = (): void => clearTimeout(timer);
  response.once('close', stop);
  return {
    end(message, status = 200) {
      stop();
      const isStream = response.headersSent || (takesStream && !acceptsJson(request));
      if (isStream && !response.headersSent) response.setHeaders(STREAM_HEADERS);
      if (isStream) return void response.end(toEvent(String(toSent(message))));
      response.status(status).set('Content-Type', 'application/json').end(toSent(message));
    },
  };
}

function toSent(message: JsonText): string | Buffer {
  if (typeof message === 'string') return message;
  return Buffer.concat(message.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** Of what `Accept` lists: a client that lists neither is answered JSON. */
function acceptsStream(request: Request): boolean {
  return /text\/event-stream/i.test(request.get('accept') ?? '');
}

function acceptsJson(request: Request): boolean {
  return /application\/(json|\*)|\*\/\*/i.test(request.get('accept') ?? '*/*');
}

function progress(progressToken: RequestId, seconds: number): string {
  const params = { progressToken, progress: seconds, message: `Running for ${seconds} s` };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
}

export const toEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;
