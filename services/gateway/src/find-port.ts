import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { listenFailure } from './listen-failure.js';

/** Returns the port on which a gateway can listen, a free one for 0. Throws an Error that says what to change where it cannot. */
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
