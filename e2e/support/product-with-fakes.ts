import { type Product, readLogs, type StartOptions } from '@drawbridge/testkit';
import { type Api, apiOf } from './api.js';
import { rowsOf } from './database.js';
import { type Fakes, newFakes } from './fakes.js';
import { newOrganization } from './organizations.js';
import { ownProduct } from './own-product.js';
import { shared } from './shared.js';

export interface ProductWithFakes {
  product: Product;
  api: Api;
  /** The ports at which the product expects its providers. */
  ports: Fakes['ports'];
  /** Returns the API of a new organization. */
  newApi(): Promise<Api>;
  /** Stops a product of this file. In the shared product, deletes what would send requests to the fakes of the next file. */
  stop(): Promise<void>;
}

/**
 * Returns a product with the test pieces and fake providers of `fakes.js`: the shared product, with a new organization. With `env`, starts a product for
 * this file. It also starts one if the services are separate, because then all files of the run use the shared product at the same time and would see
 * each other's logs and queues. Page tests share a product too, but do not read these.
 */
export async function productWithFakes({
  env,
  replicas,
}: Pick<StartOptions, 'env' | 'replicas'> = {}): Promise<ProductWithFakes> {
  const { fakes, shape } = shared();
  if (fakes && shape === 'local' && !env) return sharedProduct(fakes);
  const { ports, env: own } = await newFakes();
  const product = await ownProduct({ env: { ...own, ...env }, replicas });
  const newApi = async (): Promise<Api> =>
    apiOf(product.baseUrl, (await newOrganization(product.databaseUrl)).plainKey);
  const stop = async (): Promise<void> => void (await product.stop());
  return { product, api: apiOf(product.baseUrl, product.key), ports, newApi, stop };
}

/** The tables with rows for which the product sends requests later. */
const SENDING = [
  ...['triggers.sources', 'triggers.deliveries', 'triggers.inbound'],
  ...['connections.revocations', 'approvals.webhook_deliveries'],
];

async function sharedProduct({ ports }: Fakes): Promise<ProductWithFakes> {
  const { shape, baseUrl, baseUrls, databaseUrl, kafkaBrokers, logFolder } = shared();
  const organizations: string[] = [];
  const newKey = async (): Promise<string> => {
    const { organization, plainKey } = await newOrganization(databaseUrl);
    organizations.push(organization.id);
    return plainKey;
  };
  const before = readLogs(logFolder).length; // lines of earlier files
  const refuse = (): never => {
    throw new Error('Other files use this product: set `env` to start one for this file');
  };
  const key = await newKey();
  const product = {
    ...{ shape, baseUrl, baseUrls, databaseUrl, kafkaBrokers, logFolder, key },
    logs: () => readLogs(logFolder).slice(before),
    ...{ kafkaPrefix: '', processes: refuse, kill: refuse, restart: refuse, stop: refuse },
    get databasePid() {
      return refuse();
    },
  };
  const newApi = async (): Promise<Api> => apiOf(baseUrl, await newKey());
  const stop = async (): Promise<void> => {
    for (const table of SENDING)
      await rowsOf(databaseUrl, `DELETE FROM ${table} WHERE org_id = ANY($1)`, [organizations]);
  };
  return { product, api: apiOf(baseUrl, key), ports, newApi, stop };
}
