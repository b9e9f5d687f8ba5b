import { type Product } from '@drawbridge/testkit';
import { apiOf } from './api.js';
import { eventually } from './eventually.js';

/** Waits until every gateway reports that all its services are ready. */
export async function waitUntilReady({ baseUrls }: Product, withinMs?: number): Promise<void> {
  for (const baseUrl of baseUrls) {
    const look = async (): Promise<void> =>
      expect((await apiOf(baseUrl).get('/readyz')).body).toMatchObject({ unready: [], degraded: [] });
    await eventually(look, withinMs);
  }
}
