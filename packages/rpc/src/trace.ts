import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { currentContext } from './context.js';

const tracer = trace.getTracer('drawbridge');

/** Runs `work` inside a span. Costs almost nothing while no exporter is registered. */
export function withSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Opens a span that begins in one callback and ends in another. Continues the trace of the caller's `traceparent`. */
export function openSpan(name: string, parent?: string): { run<T>(work: () => T): T; end(): void } {
  const origin = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, origin);
  return { run: (work) => context.with(trace.setSpan(origin, span), work), end: () => span.end() };
}

/** Returns the W3C Trace Context of the active span, or else of the request. */
export function traceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? currentContext()?.traceparent;
}
