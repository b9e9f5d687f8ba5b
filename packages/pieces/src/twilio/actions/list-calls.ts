import { action, staticDropdown } from '@drawbridge/piece-kit';
import { accountPath, readList } from '../account.js';
import { DEFAULT_LIMIT, filters, limit, toTime } from '../properties.js';

const STATUSES = ['queued', 'ringing', 'in-progress', 'completed', 'busy', 'failed', 'no-answer', 'canceled'] as const;
const KEEP = [
  ...['sid', 'direction', 'from', 'to', 'status', 'answered_by', 'start_time', 'end_time', 'duration'],
  ...['price', 'price_unit'],
];

/** Lists calls of the account with their status and duration: https://www.twilio.com/docs/voice/api/call-resource#retrieve-a-list-of-calls */
export const listCalls = action({
  displayName: 'List calls',
  description: 'Lists calls to and from the account with their status and duration in seconds.',
  category: 'read',
  props: { ...filters, status: staticDropdown('Status', STATUSES), limit },
  run: async ({ http, auth, input: { to, from, after, before, status, limit: most = DEFAULT_LIMIT } }) => {
    const query = { To: to, From: from, 'StartTime>': toTime(after), 'StartTime<': toTime(before), Status: status };
    const request = { path: accountPath(auth, 'Calls.json'), query };
    return readList(http, request, { items: 'calls', limit: most, keep: KEEP });
  },
});
