import { type Shape } from '@drawbridge/testkit';
import { type Fakes } from './fakes.js';

/** Data about a product that the global set-up started: one product for each of jest's workers, or one product for all workers. */
export interface Shared {
  shape: Shape;
  /** The folder of the bundled services, if SHAPE is `processes`. */
  services?: string;
  /** The bundled all-in-one product, if SHAPE is not `processes`. Test files start their own products from this file. */
  cli?: string;
  /** The name of a migrated, empty database: copying it takes less time than applying the migrations. */
  template?: string;
  baseUrl: string;
  /** One URL for each gateway. There are two gateways if SHAPE is `processes`. */
  baseUrls: string[];
  databaseUrl: string;
  /** The server that runs operators' commands (see admin-server.js). */
  adminUrl: string;
  /** Empty without Kafka, when events are delivered within the process. */
  kafkaBrokers: string;
  logFolder: string;
  /** The port to which ORIGIN_MAP redirects https://api.github.com and https://api.example.com (see provider.ts). */
  providerPort: number;
  /** The other fake providers of the product (see product-with-fakes.ts). Unset for deployments. */
  fakes?: Fakes;
  /** The address of this machine for a product in containers. Default: loopback. */
  providerHost?: string;
}

export const VARIABLE = 'DRAWBRIDGE_E2E';

export function shared(): Shared {
  const text = process.env[VARIABLE];
  if (!text)
    throw new Error(`${VARIABLE} is not set: run these tests with e2e/jest.config.js, which starts the product`);
  const all = JSON.parse(text) as Shared[];
  return all[(Number(process.env['JEST_WORKER_ID']) - 1) % all.length]!;
}
