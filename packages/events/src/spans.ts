import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { endSpanWith } from '@drawbridge/rpc';
import { context, ROOT_CONTEXT, type SpanContext, SpanKind, trace } from '@opentelemetry/api';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

// The default maximum number of links that an SDK stores per span. It would drop further links.
const MAX_LINKS = 128;

/**
 * Runs `work` in a span that continues the trace of the batch's first event and links the traces of the others, as OpenTelemetry's messaging
 * conventions define for batches.
 */
export async function inSpan<T>(
  kind: 'publish' | 'process',
  topic: string,
  events: Envelope[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = origins(events);
  const parent = first ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT;
  const options = {
    kind: kind === 'publish' ? SpanKind.PRODUCER : SpanKind.CONSUMER,
    attributes: { 'messaging.destination.name': topic, 'messaging.batch.message_count': events.length },
    links: others.map((origin) => ({ context: origin })),
  };
  const span = trace.getTracer('@drawbridge/events').startSpan(`${kind} ${topic}`, options, parent);
  return endSpanWith(span, () => context.with(trace.setSpan(parent, span), work));
}

function origins(events: Envelope[]): SpanContext[] {
  const distinct = new Set(events.map((event) => event.traceparent));
  return [...distinct].slice(0, MAX_LINKS).flatMap((traceparent) => toSpanContext(traceparent) ?? []);
}

function toSpanContext(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
}
