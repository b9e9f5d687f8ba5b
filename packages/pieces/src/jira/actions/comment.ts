import { action } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { toDocument } from '../document.js';
import { issuePath } from '../issue.js';
import { body, issue } from '../properties.js';

/**
 * Adds a comment to an issue:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-comments/#api-rest-api-3-issue-issueidorkey-comment-post
 */
export const comment = action({
  displayName: 'Comment',
  description: 'Writes a comment on an issue, and returns its id.',
  category: 'write',
  adds: true,
  props: { issue, body },
  run: async ({ http, input: { issue: key, body: text } }) => {
    const json = { body: toDocument(text) };
    return pickFields(
      await http.json({ method: 'POST', path: issuePath(key, '/comment'), json }),
      same('id', 'created'),
    );
  },
});
