import { type Product, startDrawbridge, type StartOptions } from '@drawbridge/testkit';
import { shared } from './shared.js';

/** A product for one test file alone, in the run's shape: for tests that configure, kill or restart it. `stop()` it in `afterAll`. */
export function ownProduct(options: Omit<StartOptions, 'shape'> = {}): Promise<Product> {
  return startDrawbridge({ shape: shared().shape, ...options });
}
