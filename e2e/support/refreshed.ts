import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { rowsOf } from './database.js';
import { githubWorkspace } from './github.js';
import { ownProduct } from './own-product.js';
import { rotatingIssuer, type RotatingIssuer } from './rotating-issuer.js';
import { reconnect } from './reconnect.js';

/** After this time in milliseconds, no process has a cached copy of a connection. */
const REMEMBERED_MS = 1_100;

/** A product with GitHub connections that have expiring tokens. With SHAPE=processes, the connections and execution services have two replicas. */
export interface RefreshedProduct {
  product: Product;
  api: Api;
  workspaceId: string;
  provider: FakeProvider;
  readonly issuer: RotatingIssuer;
  /** Replaces the issuer with a new issuer that has issued no tokens. */
  reset(): void;
  /** Creates a connection with a new grant. `expiresIn` is in seconds. */
  connect(fields?: object, by?: Api): Promise<RefreshedConnection>;
  /** Replaces the grant with a key through a reconnect link. */
  reconnect(connection: RefreshedConnection, secretText: string): Promise<void>;
  stop(): Promise<void>;
}

export interface RefreshedConnection {
  id: string;
  execute(title?: string): Promise<Answer>;
  /** Requests the options of the property `labels`. */
  labels(): Promise<Answer>;
  record(): Promise<any>;
  /** Expires the access token, or makes it due for a refresh with `left` seconds until it expires. */
  expire(left?: number): Promise<void>;
}

export async function refreshedProduct(): Promise<RefreshedProduct> {
  const provider = await fakeProvider();
  const origins = { 'https://github.com': provider.url, 'https://api.github.com': provider.url };
  const apps = { github: { clientId: 'platform', clientSecret: 'platform-secret' } };
  const env = { ORIGIN_MAP: JSON.stringify(origins), OAUTH_APPS: JSON.stringify(apps) };
  const product = await ownProduct({ env, replicas: { connections: 2, execution: 2 } });
  const api = apiOf(product.baseUrl, product.key);
  let issuer = rotatingIssuer(provider);
  const { createIssue } = await githubWorkspace(api);
  const { workspaceId } = createIssue;
  let made = 0;
  return {
    product,
    api,
    workspaceId,
    provider,
    get issuer() {
      return issuer;
    },
    reset() {
      provider.reset();
      issuer = rotatingIssuer(provider);
    },
    async connect(fields = {}, by = api) {
      const externalId = `refreshed-${++made}`;
      const common = {
        type: 'OAUTH2',
        integrationName: 'github',
        displayName: 'GitHub',
        externalId,
        expiresIn: 28_800,
      };
      const { status, body } = await by.post('/api/v1/connections', { ...common, ...issuer.grant(), ...fields });
      if (status !== 201) throw new Error(`POST connections returned ${status}: ${JSON.stringify(body)}`);
      const { id } = body.connection;
      return {
        id,
        execute: (title = 'T') =>
          api.post('/api/v1/actions/execute', {
            ...createIssue,
            integrationAlias: undefined,
            connectionExternalId: externalId,
            input: { ...createIssue.input, title },
          }),
        labels: () =>
          api.post('/api/v1/integrations/github/properties/options', {
            ...{ actionName: 'create_issue', propertyName: 'labels', connectionExternalId: externalId },
            input: { repo: 'acme/app' },
          }),
        record: async () => (await api.get(`/api/v1/connections?id=${id}`)).body.connection,
        expire: async (left = -1) => {
          const sql = `UPDATE connections.connections SET expires_at = now() + $2 * interval '1 second', due_at = now()
            WHERE id = $1`;
          await rowsOf(product.databaseUrl, sql, [id, left]);
          await sleep(REMEMBERED_MS);
        },
      };
    },
    async reconnect({ id }, secretText) {
      await reconnect({ api, baseUrl: product.baseUrl }, { workspaceId, connectionId: id }, secretText);
    },
    async stop() {
      await product.stop();
      await provider.stop();
    },
  };
}
