import {
  type FakeProvider,
  fakeProvider,
  type Product,
  type RecordedRequest,
  type StartOptions,
} from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { type Canary, canary } from './canaries.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { newOrganization } from './organizations.js';
import { fresh } from './owned-resources.js';
import { ownProduct } from './own-product.js';
import { playVendors, SLACK_SECRET, VENDOR_ORIGINS } from './trigger-vendors.js';
import { type WebhookReceiver, webhookReceiver } from './webhook-receiver.js';

/** A trigger that was enabled, and where its events come to. */
export interface Enabled {
  id: string;
  workspaceId: string;
  signingSecret: string;
  /** Of the receiver. */
  path: string;
  /** Where the third party sends: the path of webhookUrl. */
  hook: string;
}

export interface ToldTriggers {
  product: Product;
  /** Of callbacks. */
  receiver: WebhookReceiver;
  /** Plays GitHub, Stripe, Slack and Linear. */
  vendors: FakeProvider;
  /** In the credential of every connection. */
  credential: Canary;
  newApi(): Promise<Api>;
  /** In a workspace of its own, with a connection, where the body names no other. */
  enabled(api: Api, body: { integrationName: string; triggerName: string; [field: string]: unknown }): Promise<Enabled>;
  /** As a third party sends. */
  send(hook: string, text: string, headers?: Record<string, string>): Promise<Answer>;
  /** The callbacks that came to a path, once they are so many. */
  told(path: string, times: number): Promise<RecordedRequest[]>;
  /** The deliveries of a source, the newest first, once they say this. */
  delivered(api: Api, id: string, ...expected: object[]): Promise<any[]>;
  stop(): Promise<void>;
}

export async function toldTriggers(
  env: Record<string, string> = {},
  options: Pick<StartOptions, 'replicas'> = {},
): Promise<ToldTriggers> {
  const [receiver, vendors] = await Promise.all([webhookReceiver(), fakeProvider()]);
  playVendors(vendors);
  const ORIGIN_MAP = JSON.stringify(Object.fromEntries(VENDOR_ORIGINS.map((origin) => [origin, vendors.url])));
  const OAUTH_APPS = JSON.stringify({ slack: { clientId: 'a', clientSecret: 'b', webhookSecret: SLACK_SECRET } });
  const own = { ...receiver.env, ORIGIN_MAP, OAUTH_APPS, LOG_LEVEL: 'trace', ...env };
  const product = await ownProduct({ env: own, ...options });
  const credential = canary();
  const anybody = apiOf(product.baseUrl);
  return {
    ...{ product, receiver, vendors, credential },
    newApi: async () => apiOf(product.baseUrl, (await newOrganization(product.databaseUrl)).plainKey),

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

    told: (path, times) =>
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
      await product.stop();
      await Promise.all([receiver.stop(), vendors.stop()]);
    },
  };
}

/** How much of what was sent is still to be looked into. */
export async function waitingInbound(databaseUrl: string): Promise<number> {
  const [row] = await rowsOf<{ many: number }>(databaseUrl, 'SELECT count(*)::int AS many FROM triggers.inbound');
  return row!.many;
}
