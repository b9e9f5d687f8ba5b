import { action, longText, shortText } from '@drawbridge/piece-kit';
import { place, recordId } from '../properties.js';

/** https://airtable.com/developers/web/api/create-comment */
export const addComment = action({
  displayName: 'Add comment',
  description: 'Adds a comment to a record and returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    ...place,
    recordId,
    text: longText('Text', { required: true, description: 'Mention a user as @[usrL2PNC5o3H4lBEi].', minLength: 1 }),
    parentCommentId: shortText('Reply to', {
      description: 'The id of a comment to reply to, such as comB5z37Mg9zaEPw6.',
    }),
  },
  call: {
    method: 'POST',
    path: '/v0/{baseId}/{table}/{recordId}/comments',
    body: ['text', 'parentCommentId'],
  },
});
