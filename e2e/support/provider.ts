import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, fakeProvider } from '@drawbridge/testkit';
import { shared } from './shared.js';

/**
 * Fakes https://api.github.com and https://api.example.com for the shared product. Call it in `beforeAll` and `stop()` in `afterAll`. If files share
 * a product, it acts as a lock: one file holds it while the others wait.
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
