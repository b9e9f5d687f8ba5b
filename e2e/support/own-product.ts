import { randomUUID } from 'node:crypto';
import { type Built, type Product, startDrawbridge, type StartOptions } from '@drawbridge/testkit';
import { shared } from './shared.js';
import { waitUntilReady } from './wait-until-ready.js';

/**
 * Starts a product for one test file that configures, kills or restarts it. It has the SHAPE and the Kafka of the test run. Call `stop()` in
 * `afterAll`.
 * Resolves when every gateway can reach every service, like a load balancer that checks /readyz.
 */
export async function ownProduct(options: Omit<StartOptions, 'shape' | keyof Built> = {}): Promise<Product> {
  const { shape, services, cli, template, kafkaBrokers } = shared();
  const env = { KAFKA_BROKERS: kafkaBrokers, KAFKA_PREFIX: `${randomUUID()}.`, ...options.env };
  const product = await startDrawbridge({ shape, services, cli, template, ...options, env });
  try {
    await waitUntilReady(product);
  } catch (error) {
    await product.stop();
    throw error;
  }
  return product;
}
