import { type Host, type Service } from '@drawbridge/rpc';
import { createApp } from './app.js';
import { rateLimits } from './auth/rate-limits.js';
import { type HttpDoor, httpDoor } from './listen.js';

/** Every HTTP door of the product. Holds no data. */
export async function gateway({ config, network, log }: Host): Promise<Service & { door: HttpDoor }> {
  const closing = new AbortController();
  const limits = rateLimits(config.PUBLIC_RATE_LIMIT);
  const app = createApp({ config, network, log, limits, closing: closing.signal });
  // All clients behind a proxy come from its address: bounding them is its business.
  const connectionsPerAddress = config.TRUST_PROXY > 0 ? Infinity : config.CONNECTIONS_PER_ADDRESS;
  const door = httpDoor(app, { host: config.HOST, port: config.PORT, log, limits, connectionsPerAddress, closing });
  return { name: 'gateway', rpcs: [], background: [door], door, close: async () => undefined };
}
