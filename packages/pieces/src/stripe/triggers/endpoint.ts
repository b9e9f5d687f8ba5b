import {
  deleteIfThere,
  expandPath,
  type JsonObject,
  oneSubscription,
  ProviderError,
  readJson,
  textAt,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { verify } from '../verify.js';
import { VERSION } from '../version.js';

const PATH = '/v1/webhook_endpoints';

/** Returns the functions of a webhook endpoint for these types of events. Stripe chooses the secret: https://docs.stripe.com/api/webhook_endpoints */
export function endpoint<Input>(typesOf: (input: Input) => readonly string[]) {
  return {
    ...oneSubscription<Input>({
      list: ({ http }) => http.pages({ method: 'GET', path: PATH, query: { limit: 100 } }, 1000),
      create: async ({ http, input, webhookUrl }) => {
        const form = { url: webhookUrl, enabled_events: [...typesOf(input)], api_version: VERSION };
        const created = await http.json({ method: 'POST', path: PATH, form });
        const [id, secret] = [textAt(created, 'id'), textAt(created, 'secret')];
        if (!id || !secret) throw new ProviderError('Stripe returned a webhook endpoint without a secret');
        return { state: { id }, secret };
      },
      remove: ({ http }, id) => deleteIfThere(http, expandPath(`${PATH}/{id}`, { id })),
    }),
    verify,
    events,
  };
}

function events(request: WebhookRequest): TriggerEvent[] {
  const sent = readJson(request);
  if (!sent) throw new Error('The signed body from Stripe is not JSON');
  const id = textAt(sent, 'id');
  if (!id) throw new Error('The signed event from Stripe has no id');
  return sent['object'] === 'event' ? [{ id, data: sent }] : [];
}

/** An example of an event of this type, with these fields of its object. */
export const sample = (type: string, object: JsonObject) => ({
  ...{ id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy', object: 'event', type, created: 1_767_225_600, livemode: true },
  data: { object },
});
