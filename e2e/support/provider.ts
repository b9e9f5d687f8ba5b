import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, fakeProvider } from '@drawbridge/testkit';
import { shared } from './shared.js';

/**
 * Fakes https://api.github.com and https://api.example.com for the shared product. Call it in `beforeAll` and `stop()` in `afterAll`. If files share
 * a product, it acts as a lock: one file holds it while the others wait.
 */
export function provider(): Promise<FakeProvider> {
  const { providerPort: port, providerHost: host } = shared();
  return fakeAt(port, host);
}

/** Starts a fake provider at a port of the shared product. Waits while another file uses the port. */
export const fakeAt = (port: number, host?: string): Promise<FakeProvider> =>
  onceFree(() => fakeProvider({ port, host }));

/** Calls `listen` until its port is free. */
export async function onceFree<T>(listen: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await listen();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(100);
    }
  }
}
