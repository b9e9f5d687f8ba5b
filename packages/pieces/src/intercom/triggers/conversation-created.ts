import { trigger } from '@drawbridge/piece-kit';
import { toConversation } from '../records.js';
import { appEvents } from './app-events.js';
import { CONVERSATION } from './samples.js';

/** Runs when a user or lead begins a conversation: https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const conversationCreated = trigger({
  kind: 'app-webhook',
  displayName: 'Conversation created',
  description: 'Runs when a user or lead begins a conversation.',
  props: {},
  sample: CONVERSATION,
  ...appEvents(['conversation.user.created'], toConversation),
});
