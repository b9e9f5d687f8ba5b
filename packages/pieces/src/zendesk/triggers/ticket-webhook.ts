import {
  deleteIfThere,
  expandPath,
  isRecent,
  isSigned,
  type JsonValue,
  oneSubscription,
  type Proof,
  ProviderError,
  readJson,
  scalarAt,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { cursorPages, FIRST } from '../paging.js';

const WEBHOOKS = '/api/v2/webhooks';
const MAX_WEBHOOKS = 1_000;
const WITHIN_SECONDS = 300;

/** Returns the functions of a webhook for ticket events: https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/ */
export function ticketWebhook(eventTypes: readonly string[]) {
  const subscriptions = eventTypes.map((type) => `zen:event-type:ticket.${type}`);
  return {
    ...oneSubscription<unknown>({
      list: ({ http }) =>
        http.pages({ method: 'GET', path: WEBHOOKS, query: FIRST }, MAX_WEBHOOKS, cursorPages('webhooks')),
      urlAt: ['endpoint'],
      create: (context) => create(context, subscriptions),
      remove: ({ http }, id) => deleteIfThere(http, expandPath(`${WEBHOOKS}/{id}`, { id })),
    }),
    verify,
    events,
  };
}

async function create({ http, webhookUrl }: TriggerContext<unknown> & { webhookUrl: string }, subscriptions: string[]) {
  const webhook = {
    ...{ name: 'Drawbridge', endpoint: webhookUrl, http_method: 'POST', request_format: 'json', status: 'active' },
    subscriptions,
  };
  const id = scalarAt(await http.json({ method: 'POST', path: WEBHOOKS, json: { webhook } }), 'webhook', 'id');
  if (!id) throw new ProviderError('Zendesk returned a webhook without an id');
  const path = expandPath(`${WEBHOOKS}/{id}/signing_secret`, { id });
  const secret = textAt(await http.json({ method: 'GET', path }), 'signing_secret', 'secret');
  if (!secret) throw new ProviderError('Zendesk returned a webhook without a signing secret');
  return { state: { id }, secret };
}

/** The signature covers its time and the body: https://developer.zendesk.com/documentation/webhooks/verifying/ */
function verify({ headers, body }: WebhookRequest, { secret, now }: Proof): boolean {
  const time = headers['x-zendesk-webhook-signature-timestamp'] ?? '';
  const signature = headers['x-zendesk-webhook-signature'];
  const isNow = isRecent(Math.floor(Date.parse(time) / 1_000), now, WITHIN_SECONDS);
  return isNow && isSigned({ algorithm: 'sha256', secret, content: [time, body], signature, encoding: 'base64' });
}

function events(request: WebhookRequest): TriggerEvent[] {
  const event = readJson(request);
  const id = textAt(event, 'id');
  if (!event || !id) throw new Error('the signed body from Zendesk is not an event');
  return [{ id, data: event }];
}

/** An example of an event with this type and this change. */
export const sample = (type: string, event: { [key: string]: JsonValue }) => ({
  type: `zen:event-type:ticket.${type}`,
  id: '01JB4E1N9S3T7X5Y0Z2A4C6D8F',
  account_id: 1234567,
  time: '2026-01-31T09:00:00.000000000Z',
  subject: 'zen:ticket:5158',
  detail: { id: '5158', subject: 'Refund', status: 'OPEN', priority: 'HIGH', requester_id: '8447388090494' },
  event,
});
