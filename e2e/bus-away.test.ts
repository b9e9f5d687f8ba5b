// Shapes: kafka, processes
import { type Product } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { ownProduct } from './support/own-product.js';
import { waitUntilReady } from './support/wait-until-ready.js';

/** The port of the discard service, on which no process listens. */
const NOWHERE = '127.0.0.1:9';

let product: Product;
beforeAll(async () => {
  product = await ownProduct({ env: { KAFKA_BROKERS: NOWHERE } });
});
afterAll(() => product?.stop());

describe('while Kafka is unreachable', () => {
  it('every service is ready', () => waitUntilReady(product));

  it('requests that publish events succeed', async () => {
    const api = apiOf(product.baseUrl, product.key);
    const { status, body } = await api.post('/api/v1/workspaces', { name: 'Without Kafka', slug: 'without-kafka' });
    expect(status).toBe(201);
    expect((await api.delete(`/api/v1/workspaces/${body.workspace.id}`)).status).toBe(200);
  });
});
