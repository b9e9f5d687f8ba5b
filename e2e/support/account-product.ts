import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, type Product, type StartOptions } from '@drawbridge/testkit';
import { type Answer, type Api } from './api.js';
import { type Opened, visit } from './connect.js';
import { rowsOf } from './database.js';
import { fresh } from './owned-resources.js';
import { productWithFakes } from './product-with-fakes.js';
import { fakeAt } from './provider.js';
import { type Shown, type Web } from './web.js';

/** After this time, no process has a cached copy of a credential. */
const KEPT_MS = 1_100;

export const NAME = 'test-account';
export const ME = { label: 'ada@example.com', data: { cloudId: 'c1', plan: 'from-me', subdomain: 'evil' } };

export interface AccountProduct {
  product: Product;
  api: Api;
  workspaceId: string;
  acme: FakeProvider;
  beta: FakeProvider;
  /** The hosts that no request may reach. */
  evil: FakeProvider;
  open(integrationName?: string, fields?: object): Promise<{ opened: Opened; web: Web; path: string }>;
  connections(externalId: string): Promise<any[]>;
  execute(connectionExternalId: string): Promise<Answer>;
  /** Expires the access token, and waits until no process has a copy of it. */
  expire(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Prepares an organization for the pieces `test-account` and `test-cloud`, and starts the providers that they call. */
export async function accountProduct(options?: Pick<StartOptions, 'replicas'>): Promise<AccountProduct> {
  const { product, api, ports, stop } = await productWithFakes(options);
  const acme = await fakeAt(ports.acmeAccount);
  const beta = await fakeAt(ports.betaAccount);
  const evil = await fakeAt(ports.evilAccount);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Account', slug: fresh() })).body.workspace.id;
  return {
    product,
    api,
    workspaceId,
    acme,
    beta,
    evil,
    async open(integrationName = NAME, fields = {}) {
      const externalId = fresh();
      const facts = { integrationName, connectionName: 'Mine', externalId, workspaceId, ...fields };
      const { status, body } = await api.post('/api/v1/connect/token', facts);
      if (status !== 200) throw new Error(`POST connect/token returned ${status}: ${JSON.stringify(body)}`);
      const opened = { externalId, ...fields, ...body };
      return { opened, web: await visit(product.baseUrl, opened), path: `/connect/${opened.sessionId}` };
    },
    connections: (externalId) =>
      rowsOf(product.databaseUrl, 'SELECT * FROM connections.connections WHERE external_id = $1', [externalId]),
    execute: (connectionExternalId) =>
      api.post('/api/v1/actions/execute', {
        ...{ integrationName: NAME, actionName: 'whoami', workspaceId },
        ...{ connectionExternalId, input: {} },
      }),
    async expire(id) {
      const sql = `UPDATE connections.connections SET expires_at = now() - interval '1 second', due_at = now() WHERE id = $1`;
      await rowsOf(product.databaseUrl, sql, [id]);
      await sleep(KEPT_MS);
    },
    async stop() {
      await stop();
      await Promise.all([acme, beta, evil].map((one) => one.stop()));
    },
  };
}

/** Configures a provider to issue tokens for one account. */
export function issueTokens(provider: FakeProvider, name: string, more: object = {}): void {
  let issued = 0;
  provider.on('POST /token', () => ({
    body: {
      access_token: `access-${name}-${++issued}`,
      refresh_token: `refresh-${name}-${issued}`,
      expires_in: 3_600,
      instance_url: `https://${name}.my.example`,
      // The response must not change where the secret of the app is sent.
      subdomain: 'evil',
      plan: 'from-token',
      ...more,
    },
  }));
  provider.on('GET /whoami', { body: { account: name } });
}

/** Submits the account form. Returns the authorization URL at the provider. */
export async function beginAt(web: Web, path: string, subdomain: string): Promise<URL> {
  const shown = await web.post(`${path}/authorize`, { 'field.subdomain': subdomain });
  expect(shown.status).toBe(200);
  return new URL(shown.headers.get('refresh')!.replace('0; url=', ''));
}

/** Follows the redirect back from the provider. */
export function comeBack(web: Web, there: URL, more: Record<string, string> = {}): Promise<Shown> {
  const state = there.searchParams.get('state') ?? '';
  return web.get(`/connect/callback?${new URLSearchParams({ code: fresh(), state, ...more })}`);
}
