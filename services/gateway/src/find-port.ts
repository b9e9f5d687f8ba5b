import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { listenFailure } from './listen-failure.js';

/** Returns a port on which a gateway can listen; port 0 selects a free one. Throws an Error that says which variable to change. */
export async function findPort({ host, port }: { host: string; port: number }): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
    return (probe.address() as AddressInfo).port;
  } catch (error) {
    throw listenFailure(error as NodeJS.ErrnoException, { host, port });
  } finally {
    probe.close();
    if (probe.listening) await once(probe, 'close');
  }
}
