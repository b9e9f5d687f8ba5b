import { textAt, type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { eventOf } from './inbound.js';

/** The subtypes that users or bots wrote. Edits, deletions and membership changes are messages too, with other subtypes. */
const WRITTEN = [undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message'];

/** Returns the event of a request if a user, or on request a bot, wrote a message. */
export function writtenMessage(request: WebhookRequest, withBots: boolean): TriggerEvent | undefined {
  const event = eventOf(request, 'message');
  if (!event || !WRITTEN.includes(textAt(event.data, 'subtype'))) return undefined;
  return isFromBot(event) && !withBots ? undefined : event;
}

export function isFromBot({ data }: TriggerEvent): boolean {
  return data['bot_id'] !== undefined;
}
