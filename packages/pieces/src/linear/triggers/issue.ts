import {
  connectionPaging,
  dropdown,
  graphqlRequest,
  type Http,
  isSigned,
  type JsonObject,
  member,
  oneSubscription,
  type Proof,
  ProviderError,
  readJson,
  staticMultiSelect,
  textAt,
  trigger,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { WEBHOOK_CREATE, WEBHOOK_DELETE, WEBHOOKS } from '../documents.js';
import { teams } from '../options.js';
import { resultOf } from '../result-of.js';

/** https://linear.app/developers/webhooks */
export const issue = trigger({
  kind: 'webhook',
  displayName: 'Issue changed',
  description:
    "Runs when an issue is created, changed or deleted. Needs an admin's API key or OAuth with the scope admin.",
  props: {
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
  },
  sample: {
    action: 'create',
    type: 'Issue',
    createdAt: '2026-01-31T09:00:00.000Z',
    data: { id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', identifier: 'ENG-123', title: 'Broken', priority: 2 },
    url: 'https://linear.app/acme/issue/ENG-123/broken',
    organizationId: 'dc844923-f9a4-40a3-825c-dea7747e57e2',
    webhookTimestamp: 1_769_850_000_000,
  },
  ...oneSubscription<{ teamId?: string }>({
    list: ({ http }) => http.pages(graphqlRequest(WEBHOOKS, { first: 50 }), 500, connectionPaging('webhooks')),
    create: async ({ http, input: { teamId }, webhookUrl, secret }) => {
      const where: JsonObject = teamId ? { teamId } : { allPublicTeams: true };
      const input = { url: webhookUrl, resourceTypes: ['Issue'], secret, label: 'Drawbridge', ...where };
      const webhook = resultOf(await http.json(graphqlRequest(WEBHOOK_CREATE, { input })), 'webhookCreate', 'webhook');
      const id = textAt(webhook, 'id');
      if (!id) throw new ProviderError('Linear returned a webhook without an id');
      return { state: { id } };
    },
    remove: ({ http }, id) => remove(http, id),
  }),
  verify,
  events: (request, { actions = [] }) => {
    const sent = readJson(request);
    const id = request.headers['linear-delivery'];
    if (sent?.['type'] !== 'Issue') return [];
    if (!id) throw new Error('Linear-Delivery is missing');
    const isWanted = actions.length === 0 || actions.some((action) => action === sent['action']);
    return isWanted ? [{ id, data: sent }] : [];
  },
});

/** Verifies a request. Its time is part of the signed body, in milliseconds. */
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
