import { action, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { toStorage, V2 } from '../pages.js';
import { format, ID, page, text } from '../properties.js';

/**
 * Adds a comment to a page, or a reply to a comment:
 * https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-comment/#api-footer-comments-post
 */
export const comment = action({
  displayName: 'Comment',
  description: 'Writes a comment below a page, or a reply to one, and returns its id.',
  category: 'write',
  adds: true,
  props: {
    page,
    text,
    format,
    reply_to: shortText('Reply to', { description: 'The id of a comment to reply to.', pattern: ID }),
  },
  run: async ({ http, input: { page: pageId, reply_to, ...written } }) => {
    // A reply refers to the comment instead of the page.
    const json = { ...(reply_to ? { parentCommentId: reply_to } : { pageId }), body: toStorage(written) };
    return pickFields(await http.json({ method: 'POST', path: `${V2}/footer-comments`, json }), same('id', 'pageId'));
  },
});
