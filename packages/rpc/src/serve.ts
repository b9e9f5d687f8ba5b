import { SERVICE_TABLE } from '@drawbridge/contracts';
import { callerTokens } from './caller-token.js';
import { describeError, startFailure } from './errors.js';
import { GrpcNetwork } from './grpc-client.js';
import { startGrpcServer } from './grpc-server.js';
import { createLogger, type Logger } from './log.js';
import { metricsEndpoint, metricsText } from './metrics-endpoint.js';
import { processMetrics } from './process-metrics.js';
import { formerNames, readConfig } from './read-config.js';
import { readinessOf, type Service, type ServiceFactory } from './service.js';
import { openTelemetry } from './telemetry.js';
import { addressVariable, addressVariables, type Config, PROCESS_VARIABLES, type Variables } from './variables.js';

const DRAIN_MS = 20_000;
const REPEAT_MS = 1_000;

/**
 * Runs one service as a process: reads the configuration, starts gRPC and background work, and shuts down in order on SIGTERM or SIGINT. If the start
 * fails, the process prints a message for the operator and exits with 1.
 */
export async function serve<V extends Variables>(blueprint: ServiceFactory<V>): Promise<void> {
  try {
    await run(blueprint);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exit(1);
  }
}

async function run<V extends Variables>({ name, variables, open }: ServiceFactory<V>): Promise<void> {
  const addresses = addressVariables(SERVICE_TABLE[name].mayCall);
  const all = { ...PROCESS_VARIABLES, ...addresses, ...variables };
  const config = readConfig(process.env, all) as Config<typeof PROCESS_VARIABLES> &
    Config<typeof addresses> &
    Config<V>;
  const log = createLogger(name, config.LOG_LEVEL);
  handleUncaughtErrors(log);
  for (const warning of formerNames(process.env, all)) log.warn(warning);
  const telemetry = await openTelemetry({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    name: `drawbridge-${name}`,
    log,
  });
  const tokens = callerTokens(config.INTERNAL_KEY);
  const network = new GrpcNetwork(name, (service) => config[addressVariable(service)]!, tokens);

  const service = await open({ config, network, log });
  await startBackground(service);
  const { METRICS_PORT, GRPC_HOST, GRPC_PORT } = config;
  const metrics = [...processMetrics(), ...(service.metrics ?? [])];
  telemetry.watch(metrics);
  const endpoint = metricsEndpoint({ port: METRICS_PORT, host: GRPC_HOST, read: metricsText(metrics, log), log });
  await endpoint.start();
  const server = await listen(service, { address: { host: GRPC_HOST, port: GRPC_PORT }, tokens, log });
  log.info({ port: server?.port }, 'ready');

  onShutdownSignal(log, async (deadline) => {
    const calls = server?.drain(DRAIN_MS);
    const ends = [
      () => endpoint.stop(deadline),
      () => stopBackground(service, deadline),
      () => calls,
      // Must run before the database is closed, because the last metrics are read from it.
      () => telemetry.stop(deadline),
      () => service.close(),
      () => network.close(),
    ];
    await endAll(ends);
  });
}

export async function startBackground(service: Service): Promise<void> {
  for (const work of service.background ?? []) await work.start();
}

export async function stopBackground(service: Service, deadline: number): Promise<void> {
  await endAll([...(service.background ?? [])].reverse().map((work) => () => work.stop(deadline)));
}

/** Runs all functions in sequence, even if some fail. Throws the first error after the last function. */
export async function endAll(ends: Iterable<() => Promise<void> | void>): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * Runs `stop` on the first SIGTERM or SIGINT, then exits with `process.exitCode`, 0 by default. Exits with 1 if the shutdown failed, on a second
 * signal, or after 25 s. All shutdown steps share one deadline (epoch milliseconds), which is 20 s after the signal.
 */
export function onShutdownSignal(log: Logger, stop: (deadline: number) => Promise<void>): void {
  let askedAt: number | undefined;
  const onSignal = (signal: string): void => {
    // Under npm, one Ctrl-C sends two signals: one from the terminal, and one that npm forwards.
    if (askedAt !== undefined && Date.now() - askedAt < REPEAT_MS) return;
    if (askedAt !== undefined) process.exit(1);
    askedAt = Date.now();
    setTimeout(() => process.exit(1), DRAIN_MS + 5_000).unref();
    log.info({ signal }, 'draining');
    stop(askedAt + DRAIN_MS).then(
      () => {
        log.info('stopped');
        process.exit();
      },
      (error: unknown) => {
        log.error({ error: describeError(error) }, 'shutdown did not complete cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

type Listening = Pick<Parameters<typeof startGrpcServer>[0], 'address' | 'tokens' | 'log'>;

async function listen(service: Service, { address, tokens, log }: Listening) {
  const { name, rpcs } = service;
  if (rpcs.length === 0) return undefined;
  try {
    return await startGrpcServer({ name, address, rpcs, tokens, log, ready: () => readinessOf(service) });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`GRPC_HOST, GRPC_PORT: cannot listen on ${address.host}:${address.port}: ${why}`, { cause });
  }
}

/**
 * Handles uncaught errors. A rejected promise affects one call or one round of background work, so it is logged, and the process continues. An
 * exception in a callback may leave shared state inconsistent, so it is logged, and the process shuts down and exits with 1, so that its supervisor
 * restarts it.
 */
export function handleUncaughtErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => {
    log.error({ error: describeError(error) }, 'unhandled promise rejection');
  });
  process.on('uncaughtException', (error) => {
    log.fatal({ error: describeError(error) }, 'uncaught exception');
    process.exitCode = 1;
    if (!process.emit('SIGTERM')) process.exit();
  });
}
