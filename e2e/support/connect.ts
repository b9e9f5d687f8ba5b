import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { ownProduct } from './own-product.js';
import { fresh } from './owned-resources.js';
import { type Vendor } from './vendors/dialects.js';
import { appsOf, pieceOf, writePieces } from './vendors/pieces.js';
import { startVendors, type Vendors } from './vendors/vendors.js';
import { type Shown, type Web, webOf } from './web.js';

/** A piece with an API that accepts and tests keys and passwords. */
const KEYS = (url: string): string => `export default ({ piece, action, authorizationHeader }) => piece({
  name: 'test-keys', displayName: 'Test Keys', description: 'Takes keys.', categories: ['CORE'],
  origin: ${JSON.stringify(url)},
  auth: {
    types: ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH'], required: true, test: '/me',
    description: 'The key stands in your settings.',
    props: {
      apiKey: { displayName: 'API key', required: true, secret: true },
      certificate: { displayName: 'Certificate', required: false, secret: true, multiline: true },
      region: { displayName: 'Region', description: 'Such as eu.', required: false, secret: false },
    },
  },
  http: { authorize: (credential) => credential.type === 'CUSTOM_AUTH'
    ? { 'x-api-key': credential.props.apiKey, 'x-certificate': encodeURIComponent(credential.props.certificate ?? '').slice(-100) }
    : authorizationHeader(credential) },
  actions: {
    whoami: action({ displayName: 'Who am I', description: 'Says it.', category: 'read', props: {},
      call: { method: 'GET', path: '/me' } }),
  },
})`;

/** A piece with credentials that the connect page cannot request. Connections of this piece can only be created through the API. */
const UNASKED = `export default ({ piece }) => piece({
  name: 'test-unasked', displayName: 'Test Unasked', description: 'Takes any props.', categories: ['CORE'],
  auth: { types: ['CUSTOM_AUTH', 'PLATFORM_OAUTH2'], required: true }, actions: {},
})`;

export interface ConnectProduct {
  product: Product;
  api: Api;
  vendors: Vendors;
  /** The provider of `test-keys`. */
  keys: FakeProvider;
  workspaceId: string;
  open(integrationName: string, fields?: object): Promise<Opened>;
  execute(integrationName: string, connectionExternalId: string): Promise<Answer>;
  session(id: string): Promise<any>;
  stop(): Promise<void>;
}

export interface Opened {
  token: string;
  sessionId: string;
  connectUrl: string;
  externalId: string;
}

export async function connectProduct(env: Record<string, string> = {}, options: object = {}): Promise<ConnectProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-connect-'));
  const [vendors, keys] = await Promise.all([startVendors(), fakeProvider()]);
  writePieces(folder, vendors.url);
  writeFileSync(join(folder, 'test-keys.mjs'), KEYS(keys.url));
  writeFileSync(join(folder, 'test-unasked.mjs'), UNASKED);
  const own = {
    INTEGRATIONS_DIR: folder,
    EGRESS_ALLOW: '127.0.0.1',
    OAUTH_APPS: JSON.stringify(appsOf(vendors.secret)),
  };
  const product = await ownProduct({ ...options, env: { ...own, PUBLIC_RATE_LIMIT: 'null', ...env } });
  const api = apiOf(product.baseUrl, product.key);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Connect', slug: fresh() })).body.workspace.id;
  return {
    product,
    api,
    vendors,
    keys,
    workspaceId,
    async open(integrationName, fields = {}) {
      const externalId = fresh();
      const facts = { integrationName, connectionName: 'Mine', externalId, workspaceId, ...fields };
      const { status, body } = await api.post('/api/v1/connect/token', facts);
      if (status !== 200) throw new Error(`POST connect/token returned ${status}: ${JSON.stringify(body)}`);
      return { externalId, ...fields, ...body };
    },
    execute: (integrationName, connectionExternalId) =>
      api.post('/api/v1/actions/execute', {
        integrationName,
        actionName: 'whoami',
        workspaceId,
        connectionExternalId,
        input: {},
      }),
    async session(id) {
      const { status, body } = await api.get(`/api/v1/connect/session/${id}`);
      if (status !== 200) throw new Error(`GET connect/session returned ${status}: ${JSON.stringify(body)}`);
      return body.session;
    },
    async stop() {
      await product.stop();
      await Promise.all([vendors.stop(), keys.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Opens the link of a session in a browser. */
export async function visit(baseUrl: string, { token, sessionId }: Opened, web = webOf(baseUrl)): Promise<Web> {
  const { status, to } = await web.get(`/connect?token=${token}`);
  expect({ status, to }).toEqual({ status: 303, to: `/connect/${sessionId}` });
  return web;
}

/** Opens the provider like a browser, chooses `yes` or `no`, and returns the URL of the redirect back. */
export async function askVendor(web: Web, { sessionId }: Opened, say: 'yes' | 'no' = 'yes'): Promise<string> {
  const { status, headers } = await web.post(`/connect/${sessionId}/authorize`);
  expect(status).toBe(200);
  return throughVendor(headers.get('refresh')!.replace('0; url=', ''), say);
}

/** Runs a session until the redirect back from the provider. Returns the session with its browser. */
export async function goThere(its: ConnectProduct, vendor: Vendor = 'plain', say: 'yes' | 'no' = 'yes', fields = {}) {
  const opened = await its.open(integrationOf(vendor), fields);
  const web = await visit(its.product.baseUrl, opened);
  return { opened, web, back: await askVendor(web, opened, say) };
}

/** Completes a connect session at the provider. Returns the session with its browser and its final state. */
export async function connect(its: ConnectProduct, vendor: Vendor = 'plain', fields = {}) {
  const { opened, web, back } = await goThere(its, vendor, 'yes', fields);
  expect(await web.get(back)).toMatchObject({ status: 303, to: `/connect/${opened.sessionId}` });
  return { opened, web, session: await its.session(opened.sessionId) };
}

async function throughVendor(start: string, say: string): Promise<string> {
  const there = webOf(new URL(start).origin);
  let path = pathOf(start);
  for (let step = 0; step < 10; step++) {
    const { to, text } = await there.get(path);
    if (to?.includes('/connect/callback')) return pathOf(to);
    path = to === null ? `${/href="([^"?]+)/.exec(text)![1]}?say=${say}` : pathOf(new URL(to, start).href);
  }
  throw new Error(`The vendor leads nowhere: ${path}`);
}

/** Returns the message that a finished session's page posts to the page that opened it. */
export function outcomeOf({ text }: Shown): { message: any; origins: string[] } {
  const [, written = '{}'] = /data-outcome="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

export const integrationOf = (vendor: Vendor): string => pieceOf(vendor);

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
