// Shapes: local
import { type Product } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { newScene, oauthStage, sayYes } from './support/oauth-stage.js';
import { ownProduct } from './support/own-product.js';

/** One sixth of this limit applies to anonymous requests that create stored state. */
const PUBLIC_LIMIT = 120;
const ANONYMOUS_LIMIT = 20;

let product: Product;

beforeAll(async () => {
  product = await ownProduct({ env: { PUBLIC_RATE_LIMIT: String(PUBLIC_LIMIT) } });
});
afterAll(() => product?.stop());

it('a consent counts towards the anonymous limit of its address, like a registration', async () => {
  const stage = await oauthStage(product, apiOf(product.baseUrl, product.key));
  const scene = await newScene(stage);
  const answers = [];
  for (let yes = 0; yes < ANONYMOUS_LIMIT; yes++) answers.push((await sayYes(stage.web, scene.its.query())).status);
  expect(answers).toEqual([...Array(ANONYMOUS_LIMIT - 1).fill(303), 429]);
});
