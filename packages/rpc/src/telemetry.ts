import { hostname } from 'node:os';
import { type Meter } from '@opentelemetry/api';
import { describeError } from './errors.js';
import { type Logger } from './log.js';
import { DurationHistogram, type Metric } from './metrics.js';
import { untilDeadline } from './service.js';

const METRICS_EVERY_MS = 60_000;
/** Minimum interval between warnings about an unreachable collector. Otherwise every batch would be logged. */
const WARN_EVERY_MS = 60_000;

export interface Telemetry {
  /** Adds metrics. They are sent once a minute and at shutdown. */
  watch(metrics: readonly Metric[]): void;
  /** Sends the buffered data. Stops waiting at `deadline` (epoch milliseconds). */
  stop(deadline: number): Promise<void>;
}

interface Needs {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. If it is empty, nothing is sent. */
  endpoint: string;
  /** The `service.name` attribute. */
  name: string;
  log: Logger;
}

const NOTHING: Telemetry = { watch: () => undefined, stop: async () => undefined };

/**
 * Sends traces and metrics to an OpenTelemetry collector with OTLP over HTTP. A slow or unreachable collector delays no request: spans are dropped,
 * and a warning is logged. The SDK reads the other OTEL_ variables, such as headers, sampler and batch sizes.
 */
export async function openTelemetry({ endpoint, name, log }: Needs): Promise<Telemetry> {
  if (endpoint === '') return NOTHING;
  // Loaded only if a collector is configured, so that the process starts faster without it.
  const [core, traces, traceExporter, metrics, metricExporter, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  core.setGlobalErrorHandler(rarely((error) => warn(log, endpoint, error)));

  const resource = resourceFromAttributes({
    'service.name': name,
    // Distinguishes processes that have the same name.
    'service.instance.id': `${hostname()}/${process.pid}`,
  });
  const spans = new traceExporter.OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const tracing = new traces.NodeTracerProvider({ resource, spanProcessors: [new traces.BatchSpanProcessor(spans)] });
  tracing.register();

  const exporter = new metricExporter.OTLPMetricExporter({ url: `${endpoint}/v1/metrics` });
  const reader = new metrics.PeriodicExportingMetricReader({ exporter, exportIntervalMillis: METRICS_EVERY_MS });
  const measuring = new metrics.MeterProvider({ resource, readers: [reader] });
  return {
    watch: (all) => observe(measuring.getMeter('drawbridge'), all, log),
    async stop(deadline) {
      await untilDeadline(Promise.allSettled([tracing.shutdown(), measuring.shutdown()]), deadline);
    },
  };
}

/** Registers one instrument for metrics of several services that have the same name. */
function observe(meter: Meter, metrics: readonly Metric[], log: Logger): void {
  const [histograms, numbers] = [metrics.filter(isHistogram), metrics.filter((metric) => !isHistogram(metric))];
  for (const histogram of histograms) {
    const { name, help: description, bounds } = histogram;
    const advice = { explicitBucketBoundaries: [...bounds] };
    const instrument = meter.createHistogram(name, { description, unit: 's', advice });
    histogram.forwardTo((seconds, labels) => instrument.record(seconds, labels));
  }
  for (const name of new Set(numbers.map((metric) => metric.name))) {
    const same = numbers.filter((metric) => metric.name === name);
    const { type, help: description } = same[0]!;
    const instrument =
      type === 'counter'
        ? meter.createObservableCounter(name, { description })
        : meter.createObservableGauge(name, { description });
    for (const metric of same) {
      instrument.addCallback(async (result) => {
        try {
          for (const { labels, value } of await metric.read()) result.observe(value, labels);
        } catch (error) {
          log.warn({ call: name, error: describeError(error) }, 'could not read a metric');
        }
      });
    }
  }
}

const isHistogram = (metric: Metric): metric is DurationHistogram => metric instanceof DurationHistogram;

function warn(log: Logger, endpoint: string, error: unknown): void {
  log.warn({ error: describeError(error) }, `OTEL_EXPORTER_OTLP_ENDPOINT: could not send telemetry to ${endpoint}`);
}

function rarely(report: (error: unknown) => void): (error: unknown) => void {
  let next = 0;
  return (error) => {
    if (Date.now() < next) return;
    next = Date.now() + WARN_EVERY_MS;
    report(error);
  };
}
