import { textAt, type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { eventOf } from './inbound.js';

/** The subtypes of messages that users or bots wrote. Edits, deletions and membership changes are messages with other subtypes. */
const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message'];

/** Returns the event in a request if a user wrote a message, or a bot if `withBots` is set. */
export function writtenMessage(request: WebhookRequest, withBots: boolean): TriggerEvent | undefined {
  const event = eventOf(request, 'message');
  if (!event || !WRITTEN.includes(textAt(event.data, 'subtype'))) return undefined;
  return isFromBot(event) && !withBots ? undefined : event;
}

export function isFromBot({ data }: TriggerEvent): boolean {
  return data['bot_id'] !== undefined;
}
