import {
  type Attributes,
  context,
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { currentContext } from './context.js';

const tracer = trace.getTracer('drawbridge');

const UNREGISTERED = new ProxyTracerProvider().getDelegate();

/** Returns whether spans are collected. Creating spans without a collector would take 3 % of the time of a call. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== UNREGISTERED;
}

/** Runs `work`, inside a span if spans are collected. */
export function withSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  return tracer.startActiveSpan(name, (span) => endSpanWith(span, work));
}

/** Runs `work` and ends its span. If `work` fails, the span gets the status of an error. */
export async function endSpanWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

interface OpenedSpan {
  /** Absent if spans are not collected. */
  traceId?: string;
  run<T>(work: () => T): T;
  end(): void;
}

const UNTRACED: OpenedSpan = { run: (work) => work(), end: () => undefined };

interface ClientSpan {
  name: string;
  attributes: Attributes;
}

/**
 * Runs `work`, which sends a request to another system, in a span of the active trace. Creates no span if no trace is active: otherwise background
 * polling would begin a trace for every query. `work` receives a function that adds attributes of the response.
 */
export async function inClientSpan<T>(
  { name, attributes }: ClientSpan,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  const span = openClientSpan({ name, attributes });
  if (!span) return work(() => undefined);
  return context.with(trace.setSpan(context.active(), span), () =>
    endSpanWith(span, () => work((more) => void span.setAttributes(more))),
  );
}

/** Begins a span for a request to another system, or returns undefined if no trace is active. The caller must end the span. */
export function openClientSpan({ name, attributes }: ClientSpan): Span | undefined {
  if (!isTraced() || trace.getActiveSpan() === undefined) return undefined;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** Opens a span that begins in one callback and ends in another. Continues the trace of the caller's `traceparent`. */
export function openSpan(name: string, parent?: string): OpenedSpan {
  if (!isTraced()) return UNTRACED;
  const origin = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, origin);
  const { traceId } = span.spanContext();
  return { traceId, run: (work) => context.with(trace.setSpan(origin, span), work), end: () => span.end() };
}

/** Returns the W3C Trace Context of the active span, or of the current request if spans are not collected. */
export function traceparent(): string | undefined {
  if (!isTraced()) return currentContext()?.traceparent;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? currentContext()?.traceparent;
}

/** Returns the trace id of the active span, or the trace id that the caller of the current request sent if spans are not collected. */
export function traceId(): string | undefined {
  return traceIdOf(traceparent());
}

/** Returns the trace id in a `traceparent` header: https://www.w3.org/TR/trace-context/#traceparent-header. */
export function traceIdOf(parent: string | undefined): string | undefined {
  return parent?.split('-')[1];
}
