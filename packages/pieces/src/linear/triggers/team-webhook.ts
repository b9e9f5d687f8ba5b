import {
  connectionPaging,
  dropdown,
  graphqlRequest,
  type Http,
  type InputOf,
  isSigned,
  type JsonObject,
  member,
  oneSubscription,
  type Proof,
  ProviderError,
  readJson,
  staticMultiSelect,
  textAt,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { WEBHOOK_CREATE, WEBHOOK_DELETE, WEBHOOKS } from '../documents.js';
import { teams } from '../options.js';
import { resultOf } from '../result-of.js';

/** The properties of every trigger that uses a webhook. */
export const props = {
  teamId: dropdown('Team', { description: 'The id of a team. Defaults to all public teams.', options: teams }),
  actions: staticMultiSelect(
    'Changes',
    [
      { label: 'Created', value: 'create' },
      { label: 'Changed', value: 'update' },
      { label: 'Deleted', value: 'remove' },
    ],
    { description: 'Kinds of change to receive. Defaults to all.' },
  ),
};

type Input = InputOf<typeof props>;

/** Returns the functions of a trigger for one type of objects: https://linear.app/developers/webhooks */
export function teamWebhook(type: 'Issue' | 'Comment' | 'Project') {
  return {
    ...oneSubscription<Input>({
      list: ({ http }) => http.pages(graphqlRequest(WEBHOOKS, { first: 50 }), 500, connectionPaging('webhooks')),
      create: async ({ http, input: { teamId }, webhookUrl, secret }) => {
        const where: JsonObject = teamId ? { teamId } : { allPublicTeams: true };
        const input = { url: webhookUrl, resourceTypes: [type], secret, label: 'Drawbridge', ...where };
        const webhook = resultOf(
          await http.json(graphqlRequest(WEBHOOK_CREATE, { input })),
          'webhookCreate',
          'webhook',
        );
        const id = textAt(webhook, 'id');
        if (!id) throw new ProviderError('Linear returned a webhook without an id');
        return { state: { id } };
      },
      remove: ({ http }, id) => remove(http, id),
    }),
    verify,
    events: (request: WebhookRequest, { actions = [] }: Input): TriggerEvent[] => {
      const sent = readJson(request);
      const id = request.headers['linear-delivery'];
      if (sent?.['type'] !== type) return [];
      if (!id) throw new Error('The webhook request has no header Linear-Delivery');
      const isWanted = actions.length === 0 || actions.some((action) => action === sent['action']);
      return isWanted ? [{ id, data: sent }] : [];
    },
  };
}

/** Verifies a request. Its time, in milliseconds, is part of the signed body. */
function verify(request: WebhookRequest, { secret, now }: Proof): boolean {
  const { headers, body } = request;
  const signature = headers['linear-signature'];
  if (!isSigned({ algorithm: 'sha256', secret, content: [body], signature, encoding: 'hex' })) return false;
  const sentAt = member(readJson(request), 'webhookTimestamp');
  return typeof sentAt === 'number' && Math.abs(now - sentAt) <= 60_000;
}

async function remove(http: Http, id: string): Promise<void> {
  try {
    await http.json(graphqlRequest(WEBHOOK_DELETE, { id }));
  } catch (error) {
    if (!(error instanceof ProviderError) || !/not found/i.test(error.message)) throw error;
  }
}

/** An example of an event. */
export const sample = (type: string, data: JsonObject, url: string) => ({
  ...{ action: 'create', type, createdAt: '2026-01-31T09:00:00.000Z', data, url },
  ...{ organizationId: 'dc844923-f9a4-40a3-825c-dea7747e57e2', webhookTimestamp: 1_769_850_000_000 },
});
