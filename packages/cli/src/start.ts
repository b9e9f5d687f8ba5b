import { SERVICES } from '@drawbridge/contracts';
import { type Bus, openBus } from '@drawbridge/events';
import { findPort } from '@drawbridge/gateway';
import { FIRST_OWNER, openAdmin } from '@drawbridge/members/admin';
import { addPieces } from '@drawbridge/pieces';
import {
  createLogger,
  endAll,
  formerNames,
  gatewayUrl,
  handleUncaughtErrors,
  LocalNetwork,
  type Logger,
  metricsEndpoint,
  onShutdownSignal,
  openTelemetry,
  processMetrics,
  type Service,
  startBackground,
  stopBackground,
} from '@drawbridge/rpc';
import { type AllConfig } from './config-flags.js';
import { firstKey, openDataDir } from './data-dir.js';
import { openServer, requireOpenable } from './database.js';
import * as factories from './service-factories.js';
import { VARIABLES } from './variables.js';

/** Stop functions of everything that has started, called in reverse order. Slow ones give up at the deadline (epoch milliseconds). */
type Stops = ((deadline: number) => Promise<void>)[];

/**
 * Runs all services in this process until SIGTERM or SIGINT, then drains, stops the database and exits with 0. If a part fails to start, stops the
 * rest and throws.
 */
export async function start(config: AllConfig): Promise<void> {
  const log = createLogger('drawbridge', config.LOG_LEVEL);
  handleUncaughtErrors(log);
  for (const warning of formerNames(process.env, VARIABLES)) log.warn(warning);
  const stops: Stops = [];
  const stopAll = (deadline: number): Promise<void> => endAll(lastFirst(stops, deadline));
  onShutdownSignal(log, stopAll);
  try {
    console.log(await startAll(config, log, stops));
  } catch (error) {
    await stopAll(Date.now());
    throw error;
  }
}

/** Includes parts that start in the meantime. */
function* lastFirst(stops: Stops, deadline: number): Iterable<() => Promise<void>> {
  while (stops.length > 0) {
    const stop = stops.pop()!;
    yield () => stop(deadline);
  }
}

/** Returns the banner. */
async function startAll(asked: AllConfig, log: Logger, stops: Stops): Promise<string> {
  const began = Date.now();
  // Report configuration errors before a key, a folder or a database is created.
  const given = { ...asked, PORT: await findPort({ host: asked.HOST, port: asked.PORT }) };
  await addPieces(given.INTEGRATIONS_DIR);
  await requireOpenable(given);
  const dataDir = openDataDir(given.DATA_DIR);
  const key = firstKey(given, dataDir);
  const DATABASE_URL = await startDatabase(given, log, stops);
  const MASTER_KEYS = given.MASTER_KEYS || dataDir.masterKeys();
  const INTERNAL_KEY = given.INTERNAL_KEY || dataDir.internalKey();
  const config = { ...given, DATABASE_URL, MASTER_KEYS, INTERNAL_KEY, BOOTSTRAP_API_KEY: key.plainKey };

  const telemetry = await openTelemetry({ endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, name: 'drawbridge', log });
  const network = new LocalNetwork();
  const bus = openBus(config, log);
  const services = await openServices(config, { bus, network, stops });
  stops.push(() => bus.stop());
  await bus.start();
  // Services of one process share some metrics, such as those of the database pool.
  const metrics = [...new Set([...processMetrics(), ...services.flatMap((service) => service.metrics ?? [])])];
  telemetry.watch(metrics);
  stops.push((deadline) => telemetry.stop(deadline));
  for (const service of services) {
    stops.push((deadline) => stopBackground(service, deadline));
    await startBackground(service);
  }
  const endpoint = metricsEndpoint({ port: config.METRICS_PORT, host: config.GRPC_HOST, metrics, log });
  stops.push((deadline) => endpoint.stop(deadline));
  await endpoint.start();
  const { text, isFirstStart } = await key.describe(network);
  return readyBanner({
    url: gatewayUrl(config),
    firstKey: text,
    next: isFirstStart ? await firstSteps(config, key.plainKey) : [],
    seconds: (Date.now() - began) / 1000,
  });
}

/** A person reads the terminal while the product starts, and not always at once. */
const FIRST_LINK_MINUTES = 60;

/** Returns what to do first with a new installation: its owner has no password yet. */
async function firstSteps(config: AllConfig, plainKey: string): Promise<string[]> {
  const members = await openAdmin(config.DATABASE_URL, config.PLANS_FILE);
  const link = members.createSignInLink({ email: FIRST_OWNER, minutes: FIRST_LINK_MINUTES });
  const { path } = await link.finally(() => members.close());
  const url = gatewayUrl(config);
  return [
    '',
    `  Sign in as ${FIRST_OWNER} (works once, for ${FIRST_LINK_MINUTES} minutes):`,
    `    ${url}${path}`,
    '  Make the first call:',
    `    curl ${url}/api/v1/organization -H 'Authorization: Bearer ${plainKey}'`,
  ];
}

async function startDatabase(config: AllConfig, log: Logger, stops: Stops): Promise<string> {
  const server = await openServer(config, log);
  let asked = false;
  stops.push(() => {
    asked = true;
    return server.stop();
  });
  void server.exited.then((end) => {
    if (asked) return;
    log.error(`the database server keeps exiting and is not restarted (${end}). Check DATA_DIR, then start again`);
    process.exit(1);
  });
  return server.url;
}

interface Shared {
  bus: Bus;
  network: LocalNetwork;
  /** Receives each service's stop function as soon as it is open. */
  stops: ((deadline: number) => Promise<void>)[];
}

/** Opens every service on one bus and one in-process network, in start order: the gateway is last. */
async function openServices(config: AllConfig, { bus, network, stops }: Shared) {
  const services: Service[] = [];
  for (const name of SERVICES) {
    const log = createLogger(name, config.LOG_LEVEL);
    const service = await factories[name].open({ config, log, network: network.for(name) }, { bus });
    stops.push(() => service.close());
    network.register(service, log);
    services.push(service);
  }
  return services;
}

interface Ready {
  url: string;
  firstKey: string;
  next: string[];
  seconds: number;
}

function readyBanner({ url, firstKey, next, seconds }: Ready): string {
  return [
    '',
    `Drawbridge is ready (${seconds.toFixed(1)} s)`,
    `  Base URL       ${url}`,
    `  API reference  ${url}/docs`,
    `  First key      ${firstKey}`,
    '  Stop           Ctrl-C, or SIGTERM to this process',
    ...next,
    '',
  ].join('\n');
}
