import { action, dropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { tags } from '../options.js';
import { admin, conversation } from '../properties.js';
import { conversationPath } from '../records.js';

/** Adds a tag to a conversation: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tags/attachtagtoconversation */
export const tag = action({
  displayName: 'Tag',
  description: 'Adds a tag to a conversation, and returns the tag.',
  category: 'write',
  idempotent: true,
  props: {
    conversation_id: conversation,
    tag_id: dropdown('Tag', {
      required: true,
      description: 'The id of a tag.',
      pattern: '^[0-9]{1,30}$',
      options: tags,
    }),
    admin_id: admin,
  },
  run: async ({ http, input: { conversation_id, tag_id, admin_id } }) => {
    const json = { id: tag_id, admin_id };
    return pickFields(
      await http.json({ method: 'POST', path: conversationPath(conversation_id, '/tags'), json }),
      same('id', 'name'),
    );
  },
});
