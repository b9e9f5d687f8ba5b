// Shapes: none; in full: local
import { type FakeProvider, fakeProvider, type NameServer, type Product, startNameServer } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';
import { newWorkspace } from './support/workspace-integrations.js';

/** The limit of concurrent DNS look-ups for one organization in each execution process (docs/operating.md). */
const SHARE = 20;
const silent = (index: number): string => `silent-${index}.example`;
const names = Array.from({ length: SHARE + 1 }, (_, index) => silent(index));

let product: Product;
let provider: FakeProvider;
let nameServer: NameServer;

beforeAll(async () => {
  provider = await fakeProvider();
  const zone = Object.fromEntries(names.map((name) => [name, 'silent' as const]));
  nameServer = await startNameServer({ ...zone, 'calm.example': { a: ['127.0.0.1'] } });
  product = await ownProduct({ env: { DNS_SERVERS: nameServer.address, EGRESS_ALLOW: 'calm.example' } });
});
afterAll(async () => {
  await product?.stop();
  await Promise.all([provider?.stop(), nameServer?.close()]);
});

async function sender(api: Api): Promise<(name: string) => Promise<Answer>> {
  const call = { integrationName: 'http', actionName: 'send_request', workspaceId: await newWorkspace(api) };
  return (name) => {
    const input = { method: 'GET', url: `http://${name}:${provider.port}/` };
    return api.post('/api/v1/actions/execute', { ...call, input });
  };
}

it('an organization looks up at most twenty names at once and delays no other organization', async () => {
  const { plainKey } = await newOrganization(product.databaseUrl);
  const noisy = await sender(apiOf(product.baseUrl, product.key));
  const calm = await sender(apiOf(product.baseUrl, plainKey));
  const asked = (): string[] => names.filter((name) => nameServer.asked.includes(name));

  const hanging = names.map(noisy);
  while (asked().length < SHARE) await new Promise((looked) => setTimeout(looked, 5));
  expect((await calm('calm.example')).status).toBe(200);
  expect(asked()).toHaveLength(SHARE);

  const answers = await Promise.all(hanging);
  expect(asked()).toHaveLength(SHARE + 1);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(names.map(() => [400, 'ACTION_FAILED']));
});
