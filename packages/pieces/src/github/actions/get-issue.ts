import { action, checkbox, expandPath } from '@drawbridge/piece-kit';
import { raw, readPage, short } from '../answers.js';
import { COMMENT, ISSUE } from '../fields.js';
import { issueNumber, repo } from '../properties.js';

/** Returns an issue or pull request: https://docs.github.com/rest/issues/issues#get-an-issue */
export const getIssue = action({
  displayName: 'Get issue',
  description: 'Reads an issue or pull request with its text, and on request its comments ("comment_list").',
  category: 'read',
  props: {
    repo,
    issue_number: issueNumber,
    with_comments: checkbox('With comments', { description: 'Also returns the first 100 comments, oldest first.' }),
    raw,
  },
  run: async ({ http, input }) => {
    const path = expandPath('/repos/{+repo}/issues/{issue_number}', input);
    const issue = short(await http.json({ method: 'GET', path }), ISSUE, input.raw);
    if (!input.with_comments) return issue;

    // Reads the first page of comments of the issue: https://docs.github.com/rest/issues/comments#list-issue-comments
    const request = { method: 'GET', path: `${path}/comments`, query: { per_page: 100 } };
    const { items } = await readPage(http, request, { fields: COMMENT, isRaw: input.raw });
    return { ...issue, comment_list: items ?? [] };
  },
});
