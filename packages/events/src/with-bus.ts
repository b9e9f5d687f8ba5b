import type { Host, Service, ServiceFactory } from '@drawbridge/rpc';
import type { Bus } from './bus.js';
import { openBus } from './open-bus.js';

/**
 * A service in a process of its own: it opens the configured bus, and the bus runs and ends with it. Its readiness is not
 * the service's: while the brokers are away events wait in the outbox, and requests are served.
 */
export function withBus(factory: (host: Host & { bus: Bus }) => Promise<Service>): ServiceFactory {
  return async (host) => {
    const { config, log } = host;
    const bus = openBus({ brokers: config.KAFKA_BROKERS, clientId: 'drawbridge', log });
    const service = await factory({ ...host, bus });
    return { ...service, background: [bus, ...(service.background ?? [])] };
  };
}
