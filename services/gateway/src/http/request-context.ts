import { newId } from '@drawbridge/contracts';
import {
  type CallContext,
  Cancellation,
  DurationHistogram,
  type Logger,
  openSpan,
  runInContext,
  ServedContext,
  traceIdOf,
} from '@drawbridge/rpc';
import { type Request, type RequestHandler, type Response } from 'express';
import { SAFE_HEADERS } from './refusal.js';

/** Time limit of a request. Must exceed the duration of the longest operation; each of its calls to services has a separate, shorter timeout. */
const REQUEST_MS = 100_000;
/** Paths of requests that may run a program (Code Mode or advanced code). Their time limit is PROGRAM_MS. */
const PROGRAMS = /^\/(api\/v1\/(actions\/execute|mcp\/servers\/[^/]+\/execute-code)|mcp\/[^/]+)\/?$/;
/** Must exceed the sum of the longest program (5 minutes), its wait for a slot and its wait for an approval. */
const PROGRAM_MS = 390_000;
const SANE_ID = /^[\w.:-]{1,128}$/;
/** Probes arrive every few seconds and would fill the log, so they are logged at debug level. */
const PROBES = new Set(['/healthz', '/readyz']);
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Requests by method, route template and status. `route` is `none` for an unknown path. */
export const httpDurations = new DurationHistogram(
  'drawbridge_http_request_duration_seconds',
  'Time from the headers of a request to the end of its response, by method, route and status.',
  BOUNDS,
);

/**
 * Sets the id and the deadline of the request, and a signal that aborts when the caller disconnects, the deadline passes or the process exits. Logs
 * one line when the response closes.
 */
export function requestContext(log: Logger, closing: AbortSignal): RequestHandler {
  const underWay = new Set<() => void>();
  closing.addEventListener('abort', () => underWay.forEach((leave) => leave()));
  return (request, response, next) => {
    const startedAt = performance.now();
    const given = request.get('x-request-id') ?? '';
    const requestId = SANE_ID.test(given) ? given : newId();
    const trace = request.get('traceparent') ?? '';
    const leaving = new Cancellation();
    const leave = (): void => leaving.abort();
    const limitMs = request.method === 'POST' && PROGRAMS.test(request.path) ? PROGRAM_MS : REQUEST_MS;
    const timer = setTimeout(leave, limitMs);
    underWay.add(leave);
    const traceparent = TRACEPARENT.test(trace) ? trace : undefined;
    const deadline = Date.now() + limitMs;
    const sent = { requestId, from: 'gateway', deadline, address: request.ip, traceparent } as const;
    const context = new ServedContext(sent, log, leaving);
    const span = openSpan('request', traceparent);
    response.locals['context'] = context;
    response.set({ 'X-Request-Id': requestId, ...SAFE_HEADERS });
    response.on('close', () => {
      clearTimeout(timer);
      underWay.delete(leave);
      span.end();
      if (!response.writableFinished) leave();
      noteEnd(request, response, { elapsedMs: performance.now() - startedAt, traceId: span.traceId });
    });
    runInContext(context, () => span.run(next));
  };
}

interface End {
  elapsedMs: number;
  traceId: string | undefined;
}

function noteEnd({ method, path }: Request, response: Response, { elapsedMs, ...span }: End): void {
  const { requestId, caller, log, traceparent } = contextOf(response);
  // The response emits `close` outside the asynchronous context of the request, so the logger cannot read the trace id from that context.
  const traceId = span.traceId ?? traceIdOf(traceparent);
  const { statusCode: status, locals } = response;
  const route: string = locals['route'] ?? 'none';
  httpDurations.record(elapsedMs / 1000, { method, route, status: String(status) });
  const line = { requestId, traceId, method, route, status, durationMs: Math.round(elapsedMs), orgId: caller?.orgId };
  log[PROBES.has(path) ? 'debug' : 'info'](line, 'request');
}

export function contextOf(response: Response): CallContext {
  return response.locals['context'];
}
