import { type Context, propagation, type Span, trace, type Tracer } from '@opentelemetry/api';
import { openSpan } from './spans.js';

const CALLER = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };

let parents: Context[] = [];
let ended = 0;
const span: Span = trace.wrapSpanContext({ traceId: 'e'.repeat(32), spanId: 'e'.repeat(16), traceFlags: 1 });
span.end = () => void ended++;
const tracer: Pick<Tracer, 'startSpan'> = {
  startSpan(_name, _options, parent): Span {
    parents.push(parent!);
    return span;
  },
};

beforeAll(() => {
  trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer });
  propagation.setGlobalPropagator({
    fields: () => ['traceparent'],
    inject: () => undefined,
    extract: (context, { traceparent }) => (traceparent ? trace.setSpanContext(context, CALLER) : context),
  });
});
afterAll(() => {
  trace.disable();
  propagation.disable();
});
beforeEach(() => (parents = []));

it("continues a caller's trace", () => {
  openSpan('request', '00-…');
  expect(parents.map((parent) => trace.getSpanContext(parent))).toEqual([CALLER]);
});

it('starts a new trace without a caller', () => {
  openSpan('request');
  expect(parents.map((parent) => trace.getSpanContext(parent))).toEqual([undefined]);
});

it('stays open after its work until it is ended', () => {
  const opened = openSpan('request');
  expect(opened.run(() => 'done')).toBe('done');
  expect(ended).toBe(0);
  opened.end();
  expect(ended).toBe(1);
});
