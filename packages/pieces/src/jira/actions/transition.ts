import { action, dropdown, longText } from '@drawbridge/piece-kit';
import { toDocument } from '../document.js';
import { issuePath } from '../issue.js';
import { transitions } from '../options.js';
import { issue } from '../properties.js';

/**
 * Moves an issue to another status:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-issueidorkey-transitions-post
 */
export const transition = action({
  displayName: 'Transition',
  description: 'Moves an issue to another status, with an optional comment. Returns its key.',
  category: 'write',
  props: {
    issue,
    transition: dropdown('Transition', {
      required: true,
      description: 'The id of a transition that the issue can take now.',
      pattern: '^[0-9]{1,20}$',
      options: transitions,
      refreshers: ['issue'],
    }),
    comment: longText('Comment', { description: 'Markdown.', maxLength: 32_000 }),
  },
  run: async ({ http, input: { issue: key, transition: id, comment } }) => {
    const update = comment && { comment: [{ add: { body: toDocument(comment) } }] };
    const json = { transition: { id }, ...(update && { update }) };
    await http.request({ method: 'POST', path: issuePath(key, '/transitions'), json });
    return { issue: key };
  },
});
