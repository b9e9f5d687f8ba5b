import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ApiError } from '@drawbridge/contracts';
import { describeError } from './errors.js';
import { type Logger } from './log.js';
import { memoize } from './memoize.js';
import { type Labels, type Metric } from './metrics.js';
import { type Background } from './service.js';

/** The metrics are cached for this time, which limits the cost of reading them, however many clients request them. */
const REMEMBER_MS = 5_000;
/**
 * Time limit for reading one metric. Prometheus waits for 10 s. A metric from a database or broker that hangs must not delay the metrics of the
 * process, which matter most at that time.
 */
const READ_MS = 3_000;
const PATH = '/metrics';

interface Needs {
  /** The port of the endpoint; 0 disables it. */
  port: number;
  host: string;
  /** Returns the text of `metricsText`. */
  read(): Promise<string>;
  log: Logger;
}

/**
 * Returns a function that reads the metrics as text in the Prometheus format, at most every 5 s. The text omits a metric that cannot be read within
 * `readMs`.
 */
export function metricsText(metrics: readonly Metric[], log: Logger, readMs = READ_MS): () => Promise<string> {
  const read = memoize({ ttlMs: REMEMBER_MS }, async () => {
    const read = await Promise.all(
      metrics.map(async (metric) => ({
        metric,
        lines: await within(readMs, linesOf(metric)).catch((error: unknown) => leftOut(metric, error)),
      })),
    );
    return toText(read);
  });
  const leftOut = ({ name }: Metric, error: unknown): string => {
    log.warn({ call: name, error: describeError(error) }, 'could not read a metric');
    return '';
  };
  return () => read('all');
}

/**
 * Serves GET /metrics without authentication, so it must be reachable only in a private network. If the port is in use, the process continues without
 * the endpoint.
 */
export function metricsEndpoint({ port, host, read, log }: Needs): Background {
  const answer: RequestListener = async ({ method, url }, response) => {
    if (method !== 'GET' || url !== PATH) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(await read());
  };
  let server: Server | undefined;
  return {
    async start() {
      if (port === 0) return;
      server = createServer(answer).listen(port, host);
      await once(server, 'listening').catch((error: unknown) => {
        server = undefined;
        log.warn(
          { port, error: describeError(error) },
          'METRICS_PORT: cannot listen on this port; metrics are disabled',
        );
      });
    },
    async stop() {
      server?.close();
      server?.closeAllConnections();
    },
  };
}

/** Rejects if the work takes longer. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new ApiError('TIMEOUT', `The metric could not be read within ${ms} ms`)), ms);
    const clear = (): void => clearTimeout(timer);
    work.then(clear, clear);
  });
  return Promise.race([work, late]);
}

async function linesOf(metric: Metric): Promise<string> {
  const { name } = metric;
  const samples = await metric.read();
  return samples
    .map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${toLabels(labels)} ${value}\n`)
    .join('');
}

/** Several services of one process may have a metric of the same name. Their samples are written below one heading. */
function toText(read: { metric: Metric; lines: string }[]): string {
  const texts = new Map<string, string>();
  for (const { metric, lines } of read.filter((one) => one.lines !== '')) {
    const { name, help, type } = metric;
    const before = texts.get(name) ?? `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    texts.set(name, before + lines);
  }
  return [...texts.values()].join('');
}

function toLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
