import { type Request, type Response } from 'express';
import { type RequestId } from './protocol/message.js';

/** After this time, a client that sent a progress token gets progress notifications. */
const TOLD_AFTER_MS = 1_000;
/** After this time, any other client that accepts a stream gets keep-alive comments, so that proxies do not close the connection. */
const STREAM_AFTER_MS = 10_000;
const EVERY_MS = 5_000;

/** X-Accel-Buffering asks proxies to forward events without buffering. */
export const STREAM_HEADERS = new Map([
  ['Content-Type', 'text/event-stream'],
  ['X-Accel-Buffering', 'no'],
]);

/** JSON text, in parts if one of them is a buffer that is sent unchanged. */
export type JsonText = string | readonly (string | Buffer)[];

export interface Answer {
  /** Sends a JSON-RPC result or error. */
  end(message: JsonText, status?: number): void;
}

interface Answered {
  progressToken?: RequestId;
}

/**
 * Answers with one JSON text or, for a slow request whose client accepts it, with a stream that reports progress every few seconds and ends with that
 * text. A client cancels the request by closing the stream.
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

/** Reads the `Accept` header. A client that accepts neither type gets JSON. */
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
