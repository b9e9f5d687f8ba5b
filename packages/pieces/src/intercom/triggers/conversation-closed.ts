import { trigger } from '@drawbridge/piece-kit';
import { toConversation } from '../records.js';
import { appEvents } from './app-events.js';
import { CONVERSATION } from './samples.js';

/** Runs when a teammate closes a conversation: https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const conversationClosed = trigger({
  kind: 'app-webhook',
  displayName: 'Conversation closed',
  description: 'Runs when a teammate closes a conversation.',
  props: {},
  sample: { ...CONVERSATION, state: 'closed', open: false },
  ...appEvents(['conversation.admin.closed'], toConversation),
});
