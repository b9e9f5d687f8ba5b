import { trigger } from '@drawbridge/piece-kit';
import { partsOf, toConversation } from '../records.js';
import { appEvents } from './app-events.js';
import { CONVERSATION } from './samples.js';

/** Runs when a user or lead replies: https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const conversationReplied = trigger({
  kind: 'app-webhook',
  displayName: 'Conversation replied',
  description: 'Runs when a user or lead replies. The event has the reply as "parts".',
  props: {},
  sample: {
    ...CONVERSATION,
    parts: [{ id: '2', part_type: 'comment', body: '<p>Yes</p>', author: 'Ada', authorType: 'user' }],
  },
  ...appEvents(['conversation.user.replied'], (item) => ({ ...toConversation(item), parts: partsOf(item) })),
});
