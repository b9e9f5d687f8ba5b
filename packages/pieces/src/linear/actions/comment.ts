import { action, longText, shortText, graphqlRequest } from '@drawbridge/piece-kit';
import { COMMENT_CREATE } from '../documents.js';
import { issueId } from '../properties.js';
import { resultOf } from '../result-of.js';

export const comment = action({
  displayName: 'Comment',
  description: 'Adds a comment to an issue, or replies to a comment. Returns the comment.',
  category: 'write',
  adds: true,
  props: {
    issueId,
    body: longText('Comment', { required: true, description: 'Markdown.', minLength: 1, maxLength: 100_000 }),
    parentId: shortText('Reply to', { description: 'The id of the comment to reply to.', maxLength: 50 }),
  },
  run: async ({ http, input }) =>
    resultOf(await http.json(graphqlRequest(COMMENT_CREATE, { input })), 'commentCreate', 'comment'),
});
