import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, fakeProvider } from '@drawbridge/testkit';
import { shared } from './shared.js';

/**
 * Plays https://api.github.com and https://api.example.com for the shared product. Call it in `beforeAll` and `stop()` in `afterAll`: where files
 * share a product, it is a lock that one file holds while the others wait.
 */
export async function provider(): Promise<FakeProvider> {
  const { providerPort: port, providerHost: host } = shared();
  for (;;) {
    try {
      return await fakeProvider({ port, host });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(100);
    }
  }
}
