// Shapes: none; in full: processes
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';

/** The limit of concurrent outgoing requests for one organization in each execution process (docs/operating.md). */
const SHARE = 100;

let product: Product;
let noisy: Api;
let calm: Api;
let provider: FakeProvider;
let noise: GithubWorkspace;
let calls: GithubWorkspace;

// Uses a separate product, because it must have exactly one execution process.
beforeAll(async () => {
  provider = await fakeProvider();
  product = await ownProduct({ env: { ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider.url }) } });
  const { plainKey } = await newOrganization(product.databaseUrl);
  noisy = apiOf(product.baseUrl, product.key);
  calm = apiOf(product.baseUrl, plainKey);
  [noise, calls] = await Promise.all([githubWorkspace(noisy), githubWorkspace(calm)]);
});
afterAll(async () => {
  await product.stop();
  await provider.stop();
});

const create = (api: Api, { createIssue }: GithubWorkspace, repo: string) =>
  api.post('/api/v1/actions/execute', { ...createIssue, input: { repo, title: 'Broken' } });

it('unanswered calls to a provider occupy only the slots of their own organization', async () => {
  let release = (): void => undefined;
  provider.on('POST /repos/acme/hangs/issues', { until: new Promise<void>((resolve) => (release = resolve)) });
  const hanging = Array.from({ length: SHARE + 50 }, () => create(noisy, noise, 'acme/hangs'));
  while (provider.requests.length < SHARE) await new Promise((looked) => setTimeout(looked, 10));

  const next = create(noisy, noise, 'acme/next');
  const others = await Promise.all(Array.from({ length: 20 }, () => create(calm, calls, 'acme/calm')));
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  const reached = (repo: string): number => provider.requests.filter(({ url }) => url.includes(repo)).length;
  expect([reached('acme/hangs'), reached('acme/next'), reached('acme/calm')]).toEqual([SHARE, 0, 20]);

  release();
  const answers = await Promise.all([...hanging, next]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(provider.requests).toHaveLength(SHARE + 50 + 1 + 20);
});
