import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { type Context, type Span, type SpanOptions, trace, type Tracer } from '@opentelemetry/api';
import { inSpan } from './spans.js';

type Started = { name: string; options: SpanOptions; parent: Context };

const started: Started[] = [];
const tracer: Pick<Tracer, 'startSpan'> = {
  startSpan(name, options = {}, parent): Span {
    started.push({ name, options, parent: parent! });
    return trace.wrapSpanContext({ traceId: 'e'.repeat(32), spanId: 'e'.repeat(16), traceFlags: 1 });
  },
};

beforeAll(() => trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer }));
afterAll(() => trace.disable());
beforeEach(() => started.splice(0));

function eventOf(digit?: string): Envelope {
  const traceparent = digit ? `00-${digit.repeat(32)}-${digit.repeat(16)}-01` : '';
  return { id: '', type: '', orgId: '', occurredAt: '', traceparent };
}

describe('inSpan', () => {
  it('continues the trace of the first event and links the other traces', async () => {
    const events = [eventOf('a'), eventOf('b'), eventOf('a'), eventOf()];
    await expect(inSpan('process', 'drawbridge.members.v1', events, async () => 'done')).resolves.toBe('done');

    const [{ name, options, parent }] = started as [Started];
    expect(name).toBe('process drawbridge.members.v1');
    expect(trace.getSpanContext(parent)).toMatchObject({ traceId: 'a'.repeat(32), spanId: 'a'.repeat(16) });
    expect(options.links?.map((link) => link.context.traceId)).toEqual(['b'.repeat(32)]);
    expect(options.attributes).toMatchObject({ 'messaging.batch.message_count': 4 });
  });

  it('starts a new trace for events without one', async () => {
    await inSpan('publish', 'drawbridge.members.v1', [eventOf()], async () => {});
    expect(trace.getSpanContext(started[0]!.parent)).toBeUndefined();
    expect(started[0]!.options.links).toEqual([]);
  });

  it('rethrows the error of the work', async () => {
    const work = () => Promise.reject(new Error('no broker'));
    await expect(inSpan('publish', 'drawbridge.members.v1', [eventOf('a')], work)).rejects.toThrow('no broker');
  });
});
