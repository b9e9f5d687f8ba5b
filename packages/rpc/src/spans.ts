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

/** Returns whether spans are collected. Spans without a collector would still cost 3 % of a call. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== UNREGISTERED;
}

/** Runs `work`, inside a span if spans are collected. */
export function withSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  return tracer.startActiveSpan(name, (span) => endSpanWith(span, work));
}

/** Runs `work` and ends its span, with the status of an error if it fails. */
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
 * Runs `work`, which sends a request to another system, in a span of the active trace. Without one there is no span: background polling would
 * otherwise begin a trace for every query. `work` receives a function that adds attributes of the response.
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

/** Begins a span of a request to another system, or returns undefined if no trace is active. The caller ends it. */
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

/** Returns the W3C Trace Context of the active span, or else of the request. */
export function traceparent(): string | undefined {
  if (!isTraced()) return currentContext()?.traceparent;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? currentContext()?.traceparent;
}

/** Returns the trace id of the active span, or else the one that the caller of the request sent. */
export function traceId(): string | undefined {
  return traceIdOf(traceparent());
}

/** Returns the trace id of a `traceparent`: https://www.w3.org/TR/trace-context/#traceparent-header. */
export function traceIdOf(parent: string | undefined): string | undefined {
  return parent?.split('-')[1];
}
