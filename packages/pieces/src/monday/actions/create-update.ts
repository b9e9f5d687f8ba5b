import { action, longText, shortText } from '@drawbridge/piece-kit';
import { CREATE_UPDATE } from '../documents.js';
import { ID, item } from '../properties.js';
import { change } from '../request.js';

/** Posts an update to an item, or a reply to an update: https://developer.monday.com/api-reference/reference/updates#create-an-update */
export const createUpdate = action({
  displayName: 'Create update',
  description:
    'Posts an update to an item, or a reply to an update, and returns it. Subscribers of the item are notified.',
  category: 'write',
  adds: true,
  props: {
    item_id: item(),
    body: longText('Text', {
      required: true,
      description: 'The text of the update, with simple HTML.',
      minLength: 1,
      maxLength: 65_536,
    }),
    parent_id: shortText('Reply to', { description: 'The id of the update to reply to.', pattern: ID }),
  },
  run: ({ http, input }) => change(http, CREATE_UPDATE, input),
});
