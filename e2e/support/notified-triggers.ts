import { type FakeProvider, type Product, type RecordedRequest, type StartOptions } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { type Canary, canary } from './canaries.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { fresh } from './owned-resources.js';
import { productWithFakes } from './product-with-fakes.js';
import { fakeAt } from './provider.js';
import { playVendors } from './trigger-vendors.js';
import { type WebhookReceiver, webhookReceiver } from './webhook-receiver.js';

/** An enabled trigger and its addresses. */
export interface Enabled {
  id: string;
  workspaceId: string;
  signingSecret: string;
  /** The path of the callback at the receiver. */
  path: string;
  /** The path of webhookUrl, to which the provider sends events. */
  hook: string;
}

export interface NotifiedTriggers {
  product: Product;
  /** Receives the callbacks. */
  receiver: WebhookReceiver;
  /** A fake of GitHub, Stripe, Slack and Linear. */
  vendors: FakeProvider;
  /** The secret in the credential of each connection. */
  credential: Canary;
  newApi(): Promise<Api>;
  /** Enables a trigger, by default in a new workspace with a new connection. */
  enabled(api: Api, body: { integrationName: string; triggerName: string; [field: string]: unknown }): Promise<Enabled>;
  /** Sends a webhook like a provider. */
  send(hook: string, text: string, headers?: Record<string, string>): Promise<Answer>;
  /** Waits until `times` callbacks arrived at a path. Returns them. */
  callbacks(path: string, times: number): Promise<RecordedRequest[]>;
  /** Waits until the deliveries of a source, newest first, match. Returns them. */
  delivered(api: Api, id: string, ...expected: object[]): Promise<any[]>;
  stop(): Promise<void>;
}

export async function notifiedTriggers(
  env?: Record<string, string>,
  options: Pick<StartOptions, 'replicas'> = {},
): Promise<NotifiedTriggers> {
  const { product, ports, newApi, stop } = await productWithFakes({ env, ...options });
  const receiver = await webhookReceiver(ports);
  const vendors = await fakeAt(ports.provider);
  playVendors(vendors);
  const credential = canary();
  const anybody = apiOf(product.baseUrl);
  return {
    ...{ product, receiver, vendors, credential, newApi },

    async enabled(api, { integrationName, ...body }) {
      const slug = fresh();
      const { id } = (await api.post('/api/v1/workspaces', { name: 'W', slug })).body.workspace;
      const secret = { type: 'SECRET_TEXT', secretText: credential.text, integrationName };
      const names = { externalId: slug, displayName: 'C', scope: 'WORKSPACE', workspaceId: id };
      expect(await api.post('/api/v1/connections', { ...secret, ...names })).toMatchObject({ status: 201 });
      const callbackUrl = receiver.hook(`/${slug}`);
      const wanted = { integrationName, workspaceId: id, connectionExternalId: slug, callbackUrl, ...body };
      const { status, body: answer } = await api.post('/api/v1/triggers/enable', wanted);
      expect({ status, answer }).toMatchObject({ status: 201 });
      const { triggerSource, signingSecret } = answer;
      const hook = (triggerSource.webhookUrl ?? '').replace(/^.*(?=\/api\/v1\/webhooks\/)/, '');
      return { id: triggerSource.id, workspaceId: triggerSource.workspaceId, signingSecret, path: `/${slug}`, hook };
    },

    send: (hook, text, headers) =>
      anybody.send('POST', hook, { text, headers: { 'content-type': 'application/json', ...headers } }),

    callbacks: (path, times) =>
      eventually(async () => {
        expect(receiver.at(path)).toHaveLength(times);
        return receiver.at(path);
      }),

    delivered: (api, id, ...expected) =>
      eventually(async () => {
        const { deliveries } = (await api.get(`/api/v1/triggers/${id}/deliveries`)).body;
        expect(deliveries).toMatchObject(expected);
        return deliveries;
      }),

    async stop() {
      await stop();
      await Promise.all([receiver.stop(), vendors.stop()]);
    },
  };
}

/** Returns the number of received webhooks that are not processed yet. */
export async function waitingInbound(databaseUrl: string): Promise<number> {
  const [row] = await rowsOf<{ many: number }>(databaseUrl, 'SELECT count(*)::int AS many FROM triggers.inbound');
  return row!.many;
}
