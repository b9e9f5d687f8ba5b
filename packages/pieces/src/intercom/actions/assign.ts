import { action, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { admin, conversation } from '../properties.js';
import { conversationPath, toConversation } from '../records.js';

/**
 * Assigns a conversation to a teammate or a team:
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations/manageconversation
 */
export const assign = action({
  displayName: 'Assign',
  description: 'Assigns a conversation to a teammate or a team, and returns it.',
  category: 'write',
  idempotent: true,
  props: {
    conversation_id: conversation,
    admin_id: admin,
    to: staticDropdown('To', ['admin', 'team'], {
      required: true,
      description: 'Whether it goes to a teammate or a team.',
    }),
    assignee_id: shortText('Assignee', {
      required: true,
      description: 'A teammate or team. "0" removes the assignee.',
      pattern: '^[0-9]{1,30}$',
    }),
  },
  run: async ({ http, input: { conversation_id, admin_id, to, assignee_id } }) => {
    const json = { message_type: 'assignment', type: to, admin_id, assignee_id };
    return toConversation(await http.json({ method: 'POST', path: conversationPath(conversation_id, '/parts'), json }));
  },
});
