import { type Host, type Service } from '@drawbridge/rpc';
import { createApp } from './app.js';
import { type HttpDoor, httpDoor } from './listen.js';

/** Every HTTP door of the product. Holds no data. */
export async function gateway({ config, network, log }: Host): Promise<Service & { door: HttpDoor }> {
  const closing = new AbortController();
  const app = createApp({ config, network, log, closing: closing.signal });
  const door = httpDoor(app, { host: config.HOST, port: config.PORT, log, closing });
  return { name: 'gateway', rpcs: [], background: [door], door, close: async () => undefined };
}
