import { action, longText, member, shortText } from '@drawbridge/piece-kit';
import { CREATE_UPDATE } from '../documents.js';
import { request } from '../items.js';
import { item } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/updates#create-an-update */
export const createUpdate = action({
  displayName: 'Create update',
  description: 'Writes an update (a comment) on an item, which its subscribers are notified of.',
  category: 'send',
  recipients: ['item_id'],
  props: {
    item_id: item,
    body: longText('Text', {
      required: true,
      description: 'The text. HTML is formatted.',
      minLength: 1,
      maxLength: 20_000,
    }),
    reply_to: shortText('Reply to', { description: 'The id of an update to reply to.', pattern: '^[0-9]{1,20}$' }),
  },
  run: async ({ http, input: { item_id, body, reply_to } }) => {
    const variables = { item: item_id, body, ...(reply_to && { parent: reply_to }) };
    return member(await http.json(request(CREATE_UPDATE, variables)), 'data', 'create_update') ?? {};
  },
});
