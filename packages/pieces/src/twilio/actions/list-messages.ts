import { action } from '@drawbridge/piece-kit';
import { accountPath, readList } from '../account.js';
import { DEFAULT_LIMIT, filters, limit, toTime } from '../properties.js';

const KEEP = [
  ...['sid', 'direction', 'from', 'to', 'body', 'status', 'error_code', 'error_message', 'num_media'],
  ...['date_sent', 'price', 'price_unit'],
];

/**
 * Lists sent and received messages with their text and status:
 * https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources
 */
export const listMessages = action({
  displayName: 'List messages',
  description: 'Lists sent and received messages with their text and status.',
  category: 'read',
  props: { ...filters, limit },
  run: async ({ http, auth, input: { to, from, after, before, limit: most = DEFAULT_LIMIT } }) => {
    const query = { To: to, From: from, 'DateSent>': toTime(after), 'DateSent<': toTime(before) };
    const request = { path: accountPath(auth, 'Messages.json'), query };
    return readList(http, request, { items: 'messages', limit: most, keep: KEEP });
  },
});
