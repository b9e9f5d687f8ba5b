import { action, json, staticDropdown } from '@drawbridge/piece-kit';
import { admin, conversation, text } from '../properties.js';
import { conversationPath, toConversation } from '../records.js';

const TYPES = [
  { label: 'Reply', value: 'comment' },
  { label: 'Internal note', value: 'note' },
] as const;

/**
 * Sends a reply in a conversation, or adds a note for teammates:
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations/replyconversation
 */
export const reply = action({
  displayName: 'Reply',
  description:
    'Sends a reply to the people of a conversation, or writes a note that only teammates see. Returns the conversation.',
  category: 'send',
  recipients: ['conversation_id'],
  props: {
    conversation_id: conversation,
    admin_id: admin,
    text,
    type: staticDropdown('Type', TYPES, { description: 'Defaults to a reply.' }),
    attachment_urls: json('Attachments', {
      description: 'URLs of files: ["https://example.com/a.png"].',
      schema: { type: 'array', maxItems: 10, items: { type: 'string', pattern: '^https://', maxLength: 2_000 } },
    }),
  },
  run: async ({ http, input: { conversation_id, admin_id, text: body, type = 'comment', attachment_urls } }) => {
    const message = { message_type: type, type: 'admin', admin_id, body, ...(attachment_urls && { attachment_urls }) };
    const path = conversationPath(conversation_id, '/reply');
    return toConversation(await http.json({ method: 'POST', path, json: message }));
  },
});
