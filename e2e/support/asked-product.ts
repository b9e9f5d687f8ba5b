import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { ASKED_ORIGIN, ASKED_PIECES } from './asked-piece.js';
import { ownProduct } from './own-product.js';

export interface AskedProduct {
  product: Product;
  api: Api;
  thirdParty: FakeProvider;
  workspaceId: string;
  /** A connection of acme in the workspace. */
  connectionId: string;
  /** The configured integration of acme in the workspace, with the alias `acme`. */
  integrationId: string;
  /** Requests options, by default for the action `post` of acme in the workspace. */
  options(propertyName: string, fields?: object): Promise<Answer>;
  properties(propertyName: string, fields?: object): Promise<Answer>;
  /** Creates a connection of acme. Its secret identifies its owner. */
  connect(secretText: string, fields?: object): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a product with the pieces of `asked-piece.ts` and the provider that they call. */
export async function askedProduct(): Promise<AskedProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-asked-'));
  for (const [name, text] of Object.entries(ASKED_PIECES)) writeFileSync(join(folder, `${name}.mjs`), text);
  const thirdParty = await fakeProvider();
  const ORIGIN_MAP = JSON.stringify({ [ASKED_ORIGIN]: thirdParty.url });
  const product = await ownProduct({ env: { INTEGRATIONS_DIR: folder, ORIGIN_MAP } });
  const api = apiOf(product.baseUrl, product.key);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Asked', slug: 'asked' })).body.workspace.id;
  let made = 0;
  const connect = async (secretText: string, fields: object = {}): Promise<string> => {
    const acme = { type: 'SECRET_TEXT', integrationName: 'acme', displayName: 'Acme', externalId: `acme-${++made}` };
    const { body } = await api.post('/api/v1/connections', { ...acme, secretText, workspaceId, ...fields });
    return body.connection.id;
  };
  const connectionId = await connect('of-the-workspace', { scope: 'WORKSPACE' });
  const configured = { integrationName: 'acme', connectionId };
  const { body } = await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, configured);
  const ask =
    (path: string): AskedProduct['options'] =>
    (propertyName, fields) =>
      api.post(`/api/v1/integrations/acme/properties/${path}`, {
        propertyName,
        actionName: 'post',
        workspaceId,
        ...fields,
      });
  const stop = async (): Promise<void> => {
    await product.stop();
    await thirdParty.stop();
    rmSync(folder, { recursive: true });
  };
  const asking = { options: ask('options'), properties: ask('resolve') };
  const ids = { workspaceId, connectionId, integrationId: body.integration.id };
  return { product, api, thirdParty, ...ids, ...asking, connect, stop };
}
