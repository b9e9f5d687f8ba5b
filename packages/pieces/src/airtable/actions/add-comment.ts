import { action, longText, shortText } from '@drawbridge/piece-kit';
import { place, recordId } from '../properties.js';

/** Adds a comment to a record: https://airtable.com/developers/web/api/create-comment */
export const addComment = action({
  displayName: 'Add comment',
  description: 'Adds a comment to a record and returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    ...place,
    recordId,
    text: longText('Text', { required: true, description: '@[usr…] mentions a user.', minLength: 1 }),
    parentCommentId: shortText('Reply to', {
      description: 'The comment to reply to (com…).',
    }),
  },
  call: {
    method: 'POST',
    path: '/v0/{baseId}/{table}/{recordId}/comments',
    body: ['text', 'parentCommentId'],
  },
});
