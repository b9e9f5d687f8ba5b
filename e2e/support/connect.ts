import { type FakeProvider, type Product, type StartOptions } from '@drawbridge/testkit';
import { type Answer, type Api } from './api.js';
import { fresh } from './owned-resources.js';
import { productWithFakes } from './product-with-fakes.js';
import { fakeAt } from './provider.js';
import { type Vendor } from './vendors/dialects.js';
import { startVendors, type Vendors } from './vendors/vendors.js';
import { type Shown, type Web, webOf } from './web.js';

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

/** Prepares an organization for the pieces `test-*`, and starts the providers that they call. `options` are as for `productWithFakes`. */
export async function connectProduct(options?: Pick<StartOptions, 'env' | 'replicas'>): Promise<ConnectProduct> {
  const { product, api, ports, stop } = await productWithFakes(options);
  const keys = await fakeAt(ports.keys);
  const vendors = await startVendors(ports.vendors);
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
      await stop();
      await Promise.all([vendors.stop(), keys.stop()]);
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

/** Returns the name of a provider's integration. */
export const integrationOf = (vendor: Vendor): string => `test-${vendor}`;

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
