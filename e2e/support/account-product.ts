import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { type Opened, visit } from './connect.js';
import { rowsOf } from './database.js';
import { ownProduct } from './own-product.js';
import { fresh } from './owned-resources.js';
import { type Shown, type Web } from './web.js';

/** A piece with URLs that contain a subdomain, the origin of the token response and an id of the account. */
const PIECE = `export default ({ piece, action, authorizationHeader }) => piece({
  name: 'test-account', displayName: 'Test Account', description: 'Has an address per account.', categories: ['CORE'],
  origin: {
    OAUTH2: '{instanceUrl}', CUSTOM_AUTH: 'https://{subdomain}.acct.example', SECRET_TEXT: 'https://id.acct.example/{secretText}',
  },
  origins: ['https://id.acct.example'],
  auth: {
    types: ['OAUTH2', 'CUSTOM_AUTH', 'BASIC_AUTH', 'SECRET_TEXT'], required: true,
    account: { subdomain: { displayName: 'Subdomain', description: 'The first part of <your> address.' } },
    props: {
      subdomain: { displayName: 'Subdomain', required: true, secret: false },
      email: { displayName: 'Email', required: false, secret: false },
      apiKey: { displayName: 'API key', required: true, secret: true },
    },
    oauth2: {
      authUrl: 'https://{subdomain}.acct.example/authorize', tokenUrl: 'https://{subdomain}.acct.example/token', scopes: ['read'],
      keep: { instanceUrl: 'instance_url', subdomain: 'subdomain', plan: 'plan' },
      revoke: { url: 'https://{subdomain}.acct.example/revoke/{client_id}' },
    },
    afterConnect: async (http, credential) => {
      let me;
      do me = await http.json({ method: 'GET', path: 'https://id.acct.example/me' });
      while (me.again);
      if (me.defect) throw new TypeError('a defect');
      return { data: me.data, label: me.label };
    },
  },
  http: { authorize: (credential) => credential.type === 'CUSTOM_AUTH' ? { 'x-api-key': credential.props.apiKey } : authorizationHeader(credential) },
  actions: {
    whoami: action({ displayName: 'Who am I', description: 'Says it.', category: 'read', props: {},
      call: { method: 'GET', path: '/whoami' } }),
  },
})`;

/** A piece with a URL that contains a value that only `afterConnect` reads. */
const CLOUD = `export default ({ piece, authorizationHeader }) => piece({
  name: 'test-cloud', displayName: 'Test Cloud', description: 'Has an id per account.', categories: ['CORE'],
  origin: 'https://id.acct.example/ex/{cloudId}',
  auth: {
    types: ['OAUTH2'], required: true,
    oauth2: { authUrl: 'https://acme.acct.example/authorize', tokenUrl: 'https://acme.acct.example/token', scopes: [] },
  },
  http: { authorize: authorizationHeader }, actions: {},
})`;

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

export async function accountProduct(options: object = {}): Promise<AccountProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-account-'));
  writeFileSync(join(folder, 'test-account.mjs'), PIECE);
  writeFileSync(join(folder, 'test-cloud.mjs'), CLOUD);
  const [acme, beta, evil] = await Promise.all([fakeProvider(), fakeProvider(), fakeProvider()]);
  const origins = {
    ...at(acme, 'acme.acct.example', 'acme.my.example', 'id.acct.example'),
    ...at(beta, 'beta.acct.example', 'beta.my.example'),
    ...at(evil, 'evil.com', 'evil.acct.example', 'evil', 'acct.example'),
  };
  const app = { clientId: 'platform', clientSecret: 'platform-secret' };
  const product = await ownProduct({
    ...options,
    env: {
      INTEGRATIONS_DIR: folder,
      ORIGIN_MAP: JSON.stringify(origins),
      OAUTH_APPS: JSON.stringify({ [NAME]: app, 'test-cloud': app }),
      PUBLIC_RATE_LIMIT: 'null',
    },
  });
  const api = apiOf(product.baseUrl, product.key);
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
      await product.stop();
      await Promise.all([acme, beta, evil].map((one) => one.stop()));
      rmSync(folder, { recursive: true });
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

function at({ url }: FakeProvider, ...hosts: string[]): Record<string, string> {
  return Object.fromEntries(hosts.map((host) => [`https://${host}`, url]));
}
