import {
  deleteIfThere,
  expandPath,
  multiSelect,
  oneSubscription,
  ProviderError,
  readJson,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { EVENT_TYPES } from '../event-types.js';
import { VERSION } from '../version.js';
import { verify } from '../verify.js';

const PATH = '/v1/webhook_endpoints';

/** https://docs.stripe.com/api/webhook_endpoints. Stripe chooses the secret. */
export const event = trigger({
  kind: 'webhook',
  displayName: 'Event',
  description: 'Runs on the selected Stripe events, such as a payment, a subscription or a refund.',
  props: {
    events: multiSelect('Events', {
      required: true,
      description: 'Event types: ["invoice.paid"].',
      options: async () => EVENT_TYPES.map((type) => ({ label: type, value: type })),
    }),
  },
  sample: {
    id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
    object: 'event',
    type: 'invoice.paid',
    created: 1_767_225_600,
    livemode: true,
    data: { object: { id: 'in_1NG8Du2eZvKYlo2C', object: 'invoice', amount_paid: 1250, currency: 'eur' } },
  },
  ...oneSubscription<{ events: string[] }>({
    list: ({ http }) => http.pages({ method: 'GET', path: PATH, query: { limit: 100 } }, 1000),
    create: async ({ http, input, webhookUrl }) => {
      const form = { url: webhookUrl, enabled_events: input.events, api_version: VERSION };
      const endpoint = await http.json({ method: 'POST', path: PATH, form });
      const [id, secret] = [textAt(endpoint, 'id'), textAt(endpoint, 'secret')];
      if (!id || !secret) throw new ProviderError('Stripe returned a webhook endpoint without a secret');
      return { state: { id }, secret };
    },
    remove: ({ http }, id) => deleteIfThere(http, expandPath(`${PATH}/{id}`, { id })),
  }),
  verify,
  events: (request) => {
    const sent = readJson(request);
    if (!sent) throw new Error('The signed body from Stripe is not JSON');
    const id = textAt(sent, 'id');
    if (!id) throw new Error('The signed event from Stripe has no id');
    return sent['object'] === 'event' ? [{ id, data: sent }] : [];
  },
});
