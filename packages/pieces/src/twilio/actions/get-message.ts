import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { accountPath } from '../account.js';

/** Returns a message with its status, price and error: https://www.twilio.com/docs/messaging/api/message-resource#fetch-a-message-resource */
export const getMessage = action({
  displayName: 'Get message',
  description: 'Returns a message with its "status" (such as delivered or failed), price and error.',
  category: 'read',
  props: {
    message: shortText('Message', {
      required: true,
      description: 'The SID of a message (SM… or MM…).',
      pattern: '^(SM|MM)[0-9a-fA-F]{32}$',
    }),
  },
  run: async ({ http, auth, input }) =>
    http.json({ method: 'GET', path: accountPath(auth, expandPath('Messages/{message}.json', input)) }),
});
