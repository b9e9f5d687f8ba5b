import { action, checkbox, listAt, member } from '@drawbridge/piece-kit';
import { pickFields } from '../../pick-fields.js';
import { toMarkdown } from '../document.js';
import { FIELDS, issuePath, toIssue } from '../issue.js';
import { issue } from '../properties.js';

/** Maximum number of comments. Jira may return thousands. */
const MAX_COMMENTS = 100;
const COMMENT = { id: 'id', author: 'author.displayName', created: 'created' };

/**
 * Returns an issue with its description as Markdown:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-issueidorkey-get
 */
export const getIssue = action({
  displayName: 'Get issue',
  description: 'Reads an issue with its description as Markdown, and perhaps its comments.',
  category: 'read',
  props: {
    issue,
    comments: checkbox('Comments', {
      description: 'Adds the latest 100, oldest first. Defaults to false.',
    }),
  },
  run: async ({ http, input: { issue: key, comments = false } }) => {
    const fields = [...FIELDS, ...(comments ? ['comment'] : [])].join(',');
    const found = await http.json({ method: 'GET', path: issuePath(key), query: { fields } });
    if (!comments) return toIssue(found);
    const list = listAt(member(found, 'fields', 'comment') ?? {}, 'comments').slice(-MAX_COMMENTS);
    return {
      ...toIssue(found),
      comments: list.map((one) => ({ ...pickFields(one, COMMENT), body: toMarkdown(member(one, 'body')) })),
    };
  },
});
