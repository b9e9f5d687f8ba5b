import {
  type HandshakeReply,
  type JsonObject,
  type JsonValue,
  member,
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
import { CREATE_WEBHOOK, DELETE_WEBHOOK } from '../documents.js';
import { request } from '../items.js';

interface Input {
  board_id: string;
  column_id?: string;
}

type Enabled = TriggerContext<Input> & { webhookUrl: string; secret: string };

/**
 * Returns the functions of a trigger for one event of a board: https://developer.monday.com/api-reference/reference/webhooks. monday does not sign the
 * webhooks of a token.
 */
export function boardWebhook(event: string, idOf: (sent: JsonValue) => string | undefined) {
  return {
    async enable({ http, input, webhookUrl, secret }: Enabled): Promise<Registration> {
      const { board_id: board, column_id: columnId } = input;
      const url = withKey(webhookUrl, secret);
      const ofColumn = columnId && { event: 'change_specific_column_value', config: JSON.stringify({ columnId }) };
      const answer = await http.json(request(CREATE_WEBHOOK, { board, url, event, ...ofColumn }));
      const id = scalarAt(answer, 'data', 'create_webhook', 'id');
      if (!id) throw new ProviderError('monday.com returned a webhook without an id');
      return { state: { id } };
    },
    disable: async ({ http, state }: Enabled & { state: JsonObject }): Promise<void> => {
      const id = scalarAt(state, 'id');
      if (id) await http.json(request(DELETE_WEBHOOK, { id })).catch(unlessGone);
    },
    verify: hasKey,
    handshake,
    events: (sent: WebhookRequest): TriggerEvent[] => {
      const data = member(readJson(sent) ?? {}, 'event');
      const id = data === undefined ? undefined : idOf(data);
      if (!id) throw new Error('the body from monday.com is not an event');
      return [{ id, data: data as JsonObject }];
    },
  };
}

/** monday sends a challenge when a webhook is created, which the answer repeats. */
function handshake(sent: WebhookRequest): HandshakeReply | undefined {
  const challenge = textAt(readJson(sent) ?? {}, 'challenge');
  if (!challenge) return undefined;
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ challenge }) };
}

/** A user may have removed the webhook at monday. */
function unlessGone(error: unknown): void {
  const isGone =
    error instanceof ProviderError && (error.status === 404 || /not.?found|invalid/i.test(error.code ?? ''));
  if (!isGone) throw error;
}

/** An example of an event. */
export const sample = (type: string, fields: JsonObject) => ({
  ...{ type, userId: 9603417, boardId: 1771812698, pulseId: 1772099344, triggerTime: '2026-01-31T09:00:00.123Z' },
  ...fields,
});
