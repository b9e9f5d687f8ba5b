import { type ApiError } from '@drawbridge/contracts';
import { type ErrorRequestHandler, type Request, type Response } from 'express';
import { knownError, setRetryAfter } from '../http/send-error.js';
import { idOf, type RequestId, RPC_CODES, RpcError } from './protocol/message.js';

/** Delay before a client that sent a progress token receives progress notifications. */
const TOLD_AFTER_MS = 1_000;
/** Delay before a client without a progress token receives keep-alive comments in a stream. Without them, a proxy may close the idle connection. */
const STREAM_AFTER_MS = 10_000;
const EVERY_MS = 5_000;

/** X-Accel-Buffering makes proxies forward events without buffering. */
export const STREAM_HEADERS = new Map([
  ['Content-Type', 'text/event-stream'],
  ['X-Accel-Buffering', 'no'],
]);

/** JSON text, or its parts in order. A part can be a buffer, such as a cached list of tools, which is then not converted to a string. */
export type JsonText = string | readonly (string | Buffer)[];

export interface Answer {
  /** Sends a JSON-RPC result or error. */
  end(message: JsonText, status?: number): void;
}

interface Answered {
  progressToken?: RequestId;
}

/**
 * Starts a response that consists of one JSON text. For a slow request of a client that accepts a stream, it is a stream that reports progress every
 * few seconds and ends with that text. A client cancels the request by closing the stream.
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

/** Returns whether the client accepts a stream. A client that accepts neither a stream nor JSON receives JSON. */
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

/** Sends any error as a JSON-RPC error. Its data contains Drawbridge's code and details. */
export const mcpError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const id = idOf(request.body);
  const send = (status: number, json: string): void => void response.status(status).type('json').send(json);
  if (error instanceof RpcError) return send(error.status, errorJson(error, id, response));
  const known = knownError(error, response, 'MCP');
  setRetryAfter(response, known);
  const challenge = challengeOf(known, request);
  if (challenge) response.setHeader('WWW-Authenticate', challenge);
  const isUnread = request.body === undefined && known.code === 'VALIDATION_ERROR' && known.status === 400;
  send(known.status, toJson(known, id, isUnread ? RPC_CODES.parseError : undefined));
};

/** Returns a JSON-RPC error as JSON text. */
export function errorJson(error: unknown, id: RequestId | null, response: Response): string {
  if (!(error instanceof RpcError)) return toJson(knownError(error, response, 'MCP'), id);
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });
}

function toJson({ code, message, details, status }: ApiError, id: RequestId | null, rpcCode?: number): string {
  const of = rpcCode ?? (status >= 500 ? RPC_CODES.internal : RPC_CODES.refused);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: of, message, data: { code, details } } });
}

/**
 * Returns a challenge of RFC 6750. If the server has OAuth, the challenge contains the URL of the metadata for clients that need a token (RFC 9728).
 */
function challengeOf({ status, details }: ApiError, request: Request): string | undefined {
  const isScope = details['reason'] === 'insufficient_scope';
  if (status !== 401 && !isScope) return undefined;
  const isNone = status === 401 && request.get('authorization') === undefined;
  const said = {
    error: isScope ? 'insufficient_scope' : isNone ? undefined : 'invalid_token',
    resource_metadata: details['resourceMetadata'],
    scope: details['scope'],
  };
  const parts = Object.entries(said).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${String(value)}"`],
  );
  return ['Bearer', parts.join(', ')].join(' ').trim();
}
