import { ApiError, hashToken, SERVICES } from '@drawbridge/contracts';
import { type Bus, openBus } from '@drawbridge/events';
import { type GatewayShared } from '@drawbridge/gateway';
import { KeyVerificationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import {
  createLogger,
  LocalNetwork,
  type Logger,
  metricsText,
  openTelemetry,
  processMetrics,
  type Service,
  startBackground,
  stopBackground,
} from '@drawbridge/rpc';
import { type AllConfig } from './config-flags.js';
import * as factories from './service-factories.js';

/**
 * The stop functions of everything that has started, called in reverse order. Work that is not complete at the deadline (epoch milliseconds) is
 * abandoned.
 */
export type Stops = ((deadline: number) => Promise<void>)[];

/** Returns the stop functions in reverse order, including those of parts that start during the shutdown. */
export function* lastFirst(stops: Stops, deadline: number): Iterable<() => Promise<void>> {
  while (stops.length > 0) {
    const stop = stops.pop()!;
    yield () => stop(deadline);
  }
}

/** The running product, in one process or in several. */
export interface Running {
  /** Returns the metrics in the Prometheus format. */
  readMetrics(): Promise<string>;
  /** Returns whether the API key is valid. */
  opensKey(plainKey: string): Promise<boolean>;
}

interface Needs extends GatewayShared {
  log: Logger;
  stops: Stops;
}

/** Runs every service in this process. Throws if a service cannot start. `stops` then contains the parts that have started. */
export async function runServices(config: AllConfig, { log, stops, windows }: Needs): Promise<Running> {
  const telemetry = await openTelemetry({ endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, name: 'drawbridge', log });
  const network = new LocalNetwork();
  const bus = openBus(config, log);
  const services = await openServices(config, { bus, network, stops, windows });
  stops.push(() => bus.stop());
  await bus.start();
  // Removes duplicates, because services of one process share some metrics, such as those of the database pool.
  const metrics = [...new Set([...processMetrics(), ...services.flatMap((service) => service.metrics ?? [])])];
  telemetry.watch(metrics);
  stops.push((deadline) => telemetry.stop(deadline));
  for (const service of services) {
    stops.push((deadline) => stopBackground(service, deadline));
    await startBackground(service);
  }
  return { readMetrics: metricsText(metrics, log), opensKey: (plainKey) => opens(plainKey, network) };
}

interface Shared extends GatewayShared {
  bus: Bus;
  network: LocalNetwork;
  /** The stop function of each service is added as soon as the service is open. */
  stops: Stops;
}

/** Opens every service on one bus and one in-process network, in start order. The gateway is last. */
async function openServices(config: AllConfig, { bus, network, stops, windows }: Shared) {
  const services: Service[] = [];
  for (const name of SERVICES) {
    const log = createLogger(name, config.LOG_LEVEL);
    const service = await factories[name].open({ config, log, network: network.for(name) }, { bus, windows });
    stops.push(() => service.close());
    network.register(service, log);
    services.push(service);
  }
  return services;
}

async function opens(plainKey: string, network: LocalNetwork): Promise<boolean> {
  const keys = network.for('gateway').client('members', KeyVerificationServiceDefinition);
  try {
    await keys.verifyKey({ keyHash: hashToken(plainKey), lacksChecksum: false });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
}
