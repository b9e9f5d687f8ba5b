import { type Host, type Service } from '@drawbridge/rpc';
import { createApp } from './app.js';
import { rateLimits } from './auth/rate-limits.js';
import { httpDoor } from './listen.js';
import { VARIABLES } from './variables.js';

/** Every HTTP door of the product. Holds no data. */
export const gateway = {
  name: 'gateway' as const,
  variables: VARIABLES,
  async open({ config, network, log }: Host<typeof VARIABLES>, _shared?: unknown): Promise<Service> {
    const closing = new AbortController();
    const limits = rateLimits(config.PUBLIC_RATE_LIMIT);
    const app = createApp({ trustProxy: config.TRUST_PROXY, network, log, limits, closing: closing.signal });
    // All clients behind a proxy come from its address: bounding them is its business.
    const connectionsPerAddress = config.TRUST_PROXY > 0 ? Infinity : config.CONNECTIONS_PER_ADDRESS;
    const door = httpDoor(app, { host: config.HOST, port: config.PORT, log, limits, connectionsPerAddress, closing });
    return { name: 'gateway', rpcs: [], background: [door], port: () => door.port(), close: async () => undefined };
  },
};
