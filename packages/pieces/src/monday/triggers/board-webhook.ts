import {
  type HandshakeReply,
  type Http,
  type JsonObject,
  listAt,
  member,
  type Proof,
  ProviderError,
  readJson,
  type Registration,
  scalarAt,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { hasKey, withKey } from '../../keyed-webhook.js';
import { CREATE_WEBHOOK, DELETE_WEBHOOK, WEBHOOKS } from '../documents.js';
import { ask, change } from '../request.js';

interface OfBoard {
  board_id: string;
}

interface Subscription<Input> {
  /** The type of a subscription, and its settings. */
  subscribed(input: Input): { event: string; config?: JsonObject };
  /** The type of the events. It differs from the type of the subscription. */
  type: string;
  /** The fields that together identify an event. */
  idOf: readonly string[];
}

type Enabled<Input> = TriggerContext<Input> & { webhookUrl: string; secret: string };

/**
 * Returns the functions of a webhook for a board. monday.com signs only requests of an app, with a secret that a subscription does not have, so the
 * URL contains a secret instead: https://developer.monday.com/api-reference/reference/webhooks
 */
export function boardWebhook<Input extends OfBoard>({ subscribed, type, idOf }: Subscription<Input>) {
  return {
    enable: async ({ http, input, webhookUrl, secret }: Enabled<Input>): Promise<Registration> => {
      const { event, config } = subscribed(input);
      const settings = config && { config: JSON.stringify(config) };
      const url = withKey(webhookUrl, secret);
      const id = textAt(
        await change(http, CREATE_WEBHOOK, { board_id: input.board_id, url, event, ...settings }),
        'id',
      );
      if (!id) throw new ProviderError('monday.com returned a webhook without an id');
      return { state: { id } };
    },
    disable: async ({ http, input, state }: TriggerContext<Input> & { state: JsonObject }): Promise<void> =>
      remove(http, input.board_id, textAt(state, 'id') ?? ''),
    verify: hasKey,
    handshake,
    events: (request: WebhookRequest): TriggerEvent[] => {
      const event = member(readJson(request), 'event');
      if (textAt(event, 'type') !== type) return [];
      const parts = idOf.map((field) => scalarAt(event, field));
      if (parts.includes(undefined)) throw new Error(`The event from monday.com lacks one of ${idOf.join(', ')}`);
      return [{ id: parts.join(' '), data: event as JsonObject }];
    },
  };
}

/** Responds to the validation of the URL with the challenge, before the webhook is created. */
function handshake(request: WebhookRequest, proof: Proof): HandshakeReply | undefined {
  const challenge = textAt(readJson(request), 'challenge');
  if (!challenge || !hasKey(request, proof)) return undefined;
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ challenge }) };
}

/** Deletes a webhook if the board still has it. The list is read first, because the failure for an unknown webhook has no specific code. */
async function remove(http: Http, board_id: string, id: string): Promise<void> {
  const webhooks = listAt(await http.json(ask(WEBHOOKS, { board_id })), 'data', 'webhooks');
  if (webhooks.some((webhook) => textAt(webhook, 'id') === id)) await change(http, DELETE_WEBHOOK, { id });
}
