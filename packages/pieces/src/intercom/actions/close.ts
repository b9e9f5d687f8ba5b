import { action, longText } from '@drawbridge/piece-kit';
import { admin, conversation } from '../properties.js';
import { conversationPath, toConversation } from '../records.js';

/** Closes a conversation: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations/manageconversation */
export const close = action({
  displayName: 'Close',
  description: 'Closes a conversation, with an optional last reply to its people. Returns the conversation.',
  category: 'send',
  recipients: ['conversation_id'],
  props: {
    conversation_id: conversation,
    admin_id: admin,
    text: longText('Text', { description: 'A last reply. HTML is formatted.', maxLength: 50_000 }),
  },
  run: async ({ http, input: { conversation_id, admin_id, text } }) => {
    const json = { message_type: 'close', type: 'admin', admin_id, ...(text && { body: text }) };
    return toConversation(await http.json({ method: 'POST', path: conversationPath(conversation_id, '/parts'), json }));
  },
});
