import {
  isSameText,
  type JsonObject,
  member,
  type Proof,
  readJson,
  type Registration,
  scalarAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';

/** The updates of all triggers, because they share the only webhook of a bot. */
const UPDATES = ['message', 'callback_query', 'channel_post'];

type Update = 'message' | 'callback_query' | 'channel_post';

interface Subscription extends TriggerContext<unknown> {
  webhookUrl: string;
  secret: string;
}

/** Returns the functions of a trigger for one kind of update: https://core.telegram.org/bots/api#setwebhook */
export function botWebhook(update: Update) {
  return {
    sharesWebhook: true as const,
    enable: async ({ http, webhookUrl, secret }: Subscription): Promise<Registration> => {
      const json = { url: webhookUrl, secret_token: secret, allowed_updates: UPDATES };
      await http.json({ method: 'POST', path: '/setWebhook', json });
      return { state: {} };
    },
    disable: async ({ http, webhookUrl }: Subscription): Promise<void> => {
      const current = await http.json({ method: 'POST', path: '/getWebhookInfo' });
      // The bot may have another webhook in the meantime, which must be kept.
      if (member(current, 'result', 'url') !== webhookUrl) return;
      await http.json({ method: 'POST', path: '/deleteWebhook', json: {} });
    },
    verify: ({ headers }: WebhookRequest, { secret }: Proof): boolean =>
      secret !== '' && isSameText(headers['x-telegram-bot-api-secret-token'] ?? '', secret),
    events: (request: WebhookRequest): TriggerEvent[] => {
      const sent = readJson(request);
      const id = scalarAt(sent, 'update_id');
      if (!sent || !id) throw new Error('the body from Telegram is not an update');
      const data = member(sent, update);
      return isObject(data) ? [{ id, data }] : [];
    },
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
