import { type Product, type ProviderBehaviour, type RecordedRequest } from '@drawbridge/testkit';
import { type Api } from './api.js';
import { approvalOf, newKey, newPolicy, waiting } from './approvals.js';
import { type Canary, canary } from './canaries.js';
import { eventually } from './eventually.js';
import { fresh } from './owned-resources.js';
import { productWithFakes } from './product-with-fakes.js';
import { webhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

export interface Asked {
  id: string;
  /** The path of the webhook at the receiver. */
  path: string;
  workspaceId: string;
  call: { idempotencyKey: string };
}

/** A product, a receiver that it can reach, and calls with approvals that notify the receiver. */
export interface NotifiedWebhooks {
  product: Product;
  receiver: WebhookReceiver;
  /** A secret in the input of each call. Webhooks must not contain it. */
  secret: Canary;
  /** Returns the API of a new organization. */
  newApi(): Promise<Api>;
  /** Creates a workspace with a policy that has a separate webhook. */
  inWorkspace(api: Api, fields?: object): Promise<Pick<Asked, 'path' | 'workspaceId'>>;
  callIn(workspaceId: string): Asked['call'];
  /** Makes a call that needs approval in a new workspace of this kind. Its webhook responds with `answer`. */
  asked(api: Api, fields?: object, answer?: ProviderBehaviour): Promise<Asked>;
  /** Waits until a webhook received `times` requests. Returns them. */
  told(path: string, times: number): Promise<RecordedRequest[]>;
  /** Waits until the approval's deliveries match. Returns them. */
  delivered(api: Api, id: string, ...expected: object[]): Promise<any[]>;
  stop(): Promise<void>;
}

export async function notifiedWebhooks(env?: Record<string, string>): Promise<NotifiedWebhooks> {
  const { product, ports, newApi, stop } = await productWithFakes({ env });
  const receiver = await webhookReceiver(ports);
  const secret = canary();
  const callIn = (workspaceId: string): Asked['call'] & { input: object } => ({
    ...{ workspaceId, integrationName: 'http', actionName: 'send_request', idempotencyKey: newKey() },
    input: { method: 'POST', url: receiver.url, headers: { Authorization: `Bearer ${secret.text}` }, text: 'hello' },
  });
  const its = { product, receiver, secret, callIn };
  const inWorkspace: NotifiedWebhooks['inWorkspace'] = async (api, fields = {}) => {
    const slug = fresh();
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'W', slug })).body;
    const approvers = [{ type: 'webhook', webhookUrl: receiver.hook(`/${slug}`) }];
    await newPolicy(api, { workspaceId: workspace.id, approvers, ...fields });
    return { path: `/${slug}`, workspaceId: workspace.id };
  };
  return {
    ...its,
    inWorkspace,
    newApi,
    async asked(api, fields, answer = {}) {
      const place = await inWorkspace(api, fields);
      receiver.on(`POST ${place.path}`, answer);
      const call = callIn(place.workspaceId);
      const { id } = await waiting(api, call);
      return { ...place, id, call };
    },
    told: (path, times) =>
      eventually(async () => {
        expect(receiver.at(path)).toHaveLength(times);
        return receiver.at(path);
      }),
    delivered: (api, id, ...expected) =>
      eventually(async () => {
        const { webhookDeliveries } = await approvalOf(api, id);
        expect(webhookDeliveries).toMatchObject(expected);
        return webhookDeliveries;
      }),
    async stop() {
      await stop();
      await receiver.stop();
    },
  };
}
