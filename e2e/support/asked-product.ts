import { type FakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api } from './api.js';
import { productWithFakes } from './product-with-fakes.js';
import { fakeAt } from './provider.js';

export interface AskedProduct {
  product: Product;
  api: Api;
  thirdParty: FakeProvider;
  workspaceId: string;
  /** A connection of asked in the workspace. */
  connectionId: string;
  /** The configured integration of asked in the workspace, with the alias `asked`. */
  integrationId: string;
  /** Requests options, by default for the action `post` of asked in the workspace. */
  options(propertyName: string, fields?: object): Promise<Answer>;
  properties(propertyName: string, fields?: object): Promise<Answer>;
  /** Creates a connection of asked. Its secret identifies its owner. */
  connect(secretText: string, fields?: object): Promise<string>;
  stop(): Promise<void>;
}

/** Prepares an organization for the pieces `asked` and `asked-open`, and starts the provider that they call. */
export async function askedProduct(): Promise<AskedProduct> {
  const { product, api, ports, ...its } = await productWithFakes();
  const thirdParty = await fakeAt(ports.asked);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Asked', slug: 'asked' })).body.workspace.id;
  let made = 0;
  const connect = async (secretText: string, fields: object = {}): Promise<string> => {
    const asked = {
      type: 'SECRET_TEXT',
      integrationName: 'asked',
      displayName: 'Asked',
      externalId: `asked-${++made}`,
    };
    const { body } = await api.post('/api/v1/connections', { ...asked, secretText, workspaceId, ...fields });
    return body.connection.id;
  };
  const connectionId = await connect('of-the-workspace', { scope: 'WORKSPACE' });
  const configured = { integrationName: 'asked', connectionId };
  const { body } = await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, configured);
  const ask =
    (path: string): AskedProduct['options'] =>
    (propertyName, fields) =>
      api.post(`/api/v1/integrations/asked/properties/${path}`, {
        propertyName,
        actionName: 'post',
        workspaceId,
        ...fields,
      });
  const stop = async (): Promise<void> => {
    await its.stop();
    await thirdParty.stop();
  };
  const asking = { options: ask('options'), properties: ask('resolve') };
  const ids = { workspaceId, connectionId, integrationId: body.integration.id };
  return { product, api, thirdParty, ...ids, ...asking, connect, stop };
}
