import { SERVICES } from '@drawbridge/contracts';
import type { Bus } from '@drawbridge/events';
import { createLogger, type LocalNetwork, type Service } from '@drawbridge/rpc';
import { type AllConfig } from './config-flags.js';
import * as factories from './service-factories.js';

interface Shared {
  bus: Bus;
  network: LocalNetwork;
  /** Receives each service's stop function as soon as it is open. */
  stops: ((deadline: number) => Promise<void>)[];
}

/** Opens every service on one bus and one in-process network, in start order: the gateway is last. */
export async function openServices(config: AllConfig, { bus, network, stops }: Shared) {
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
