// Shapes: none; in full: local
import { randomBytes } from 'node:crypto';
import {
  adminOf,
  type FakeProvider,
  fakeProvider,
  hasKms,
  type Kms,
  type Product,
  startKms,
} from '@drawbridge/testkit';
import { type Answer, apiOf } from './support/api.js';
import { ownProduct } from './support/own-product.js';

const HTTP = {
  integrationName: 'http',
  displayName: 'H',
  type: 'SECRET_TEXT',
  secretText: 'a secret',
  externalId: 'x',
};
const PLAIN = `k1:${randomBytes(32).toString('base64')}`;

const isWanted = hasKms() || (process.env['REQUIRE'] ?? '').split(',').includes('kms');
const title = 'a product with its master key in AWS KMS';
if (isWanted) describe(title, onKms);
else describe.skip(`${title} (to run it: pip install moto flask flask-cors)`, onKms);

function onKms(): void {
  let kms: Kms;
  let provider: FakeProvider;
  let product: Product;
  let workspaceId: string;
  let entry: string;

  beforeAll(async () => {
    [kms, provider] = await Promise.all([startKms(), fakeProvider()]);
    entry = `k2:kms:${await kms.newKey({ drawbridge: 'master-key', id: 'k2' })}`;
    const ORIGIN_MAP = JSON.stringify({ 'https://api.example.com': provider.url });
    product = await ownProduct({ env: { ORIGIN_MAP, EGRESS_ALLOW: '127.0.0.1', MASTER_KEYS: PLAIN, ...kms.env } });
    const api = apiOf(product.baseUrl, product.key);
    workspaceId = (await api.post('/api/v1/workspaces', { name: 'W', slug: 'w' })).body.workspace.id;
    expect((await api.post('/api/v1/connections', HTTP)).status).toBe(201);
  });
  afterAll(async () => {
    await product?.stop();
    await provider?.stop();
    await kms?.stop();
  });

  const use = (): Promise<Answer> =>
    apiOf(product.baseUrl, product.key).post('/api/v1/actions/execute', {
      ...{ integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId: 'x' },
      input: { method: 'GET', url: 'https://api.example.com/' },
    });

  async function restartWith(MASTER_KEYS: string): Promise<void> {
    await product.kill('drawbridge', 'SIGTERM');
    await product.restart('drawbridge', { MASTER_KEYS });
  }

  it('rewraps credentials from an environment key, and then starts without that key', async () => {
    const both = `${entry},${PLAIN}`;
    await restartWith(both);
    expect((await use()).status).toBe(200);
    const rotate = adminOf(product.databaseUrl, { ...kms.env, EGRESS_ALLOW: '127.0.0.1', MASTER_KEYS: both });
    expect(await rotate('keys', 'rotate-master')).toEqual({ rewrapped: 1, remaining: 0, masterKeyId: 'k2' });
    await restartWith(entry);
    expect((await use()).status).toBe(200);
  });

  it('serves calls while KMS is unreachable; a start fails and names the entry', async () => {
    await kms.stop();
    expect((await use()).status).toBe(200);
    await expect(restartWith(entry)).rejects.toThrow('MASTER_KEYS: entry k2: KMS is unreachable');
  });

  it('logs no part of MASTER_KEYS', () => {
    expect(product.logs()).not.toContain(entry.slice(10, 30));
  });
}
