import { action } from '@drawbridge/piece-kit';
import { conversation } from '../properties.js';
import { conversationPath, partsOf, toConversation } from '../records.js';

/**
 * Returns a conversation with its parts as plain text:
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations/retrieveconversation
 */
export const getConversation = action({
  displayName: 'Get conversation',
  description: 'Reads a conversation with its messages, notes and changes as plain text.',
  category: 'read',
  props: { conversation_id: conversation },
  run: async ({ http, input: { conversation_id } }) => {
    const query = { display_as: 'plaintext' };
    const found = await http.json({ method: 'GET', path: conversationPath(conversation_id), query });
    return { ...toConversation(found), parts: partsOf(found) };
  },
});
