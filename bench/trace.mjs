// The breakdown preloads this module into the product. The module writes each span as one JSON line to TRACE_FILE.
import { appendFileSync } from 'node:fs';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const FLUSH_MS = 500;
let lines = [];

const flush = () => {
  const text = lines.join('');
  lines = [];
  if (text !== '') appendFileSync(process.env.TRACE_FILE, text);
};

const milliseconds = ([seconds, nanoseconds]) => seconds * 1e3 + nanoseconds / 1e6;

const collector = {
  onStart() {},
  onEnd(span) {
    const { traceId } = span.spanContext();
    const [start, ms] = [milliseconds(span.startTime), milliseconds(span.duration)];
    lines.push(`${JSON.stringify({ traceId, name: span.name, start, ms })}\n`);
  },
  forceFlush: async () => flush(),
  shutdown: async () => flush(),
};

new NodeTracerProvider({ spanProcessors: [collector] }).register();
setInterval(flush, FLUSH_MS).unref();
process.on('exit', flush);
