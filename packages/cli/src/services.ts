import { catalog } from '@drawbridge/catalog';
import { connections } from '@drawbridge/connections';
import type { ServiceName } from '@drawbridge/contracts';
import type { Bus } from '@drawbridge/events';
import { execution } from '@drawbridge/execution';
import { gateway } from '@drawbridge/gateway';
import { members } from '@drawbridge/members';
import { type Config, createLogger, type Host, type LocalNetwork, type Service } from '@drawbridge/rpc';

interface Shared {
  bus: Bus;
  network: LocalNetwork;
  /** Gets the closing of each service as soon as it is open. */
  stops: ((deadline: number) => Promise<void>)[];
}

/** Every service on one bus and one in-process network, in the order in which they start: the gateway's door is last. */
export async function openServices(config: Config, { bus, network, stops }: Shared) {
  const services: Service[] = [];
  const open = async <T extends Service>(name: ServiceName, factory: (host: Host & { bus: Bus }) => Promise<T>) => {
    const log = createLogger(name, config.LOG_LEVEL);
    const service = await factory({ config, bus, log, network: network.for(name) });
    stops.push(() => service.close());
    network.register(service, log);
    services.push(service);
    return service;
  };
  await open('members', members);
  await open('catalog', catalog);
  await open('connections', connections);
  await open('execution', execution);
  const { door } = await open('gateway', gateway);
  return { services, port: (): number => door.port() };
}
