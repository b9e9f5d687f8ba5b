import { action, longText } from '@drawbridge/piece-kit';
import { issueNumber, repo } from '../properties.js';

/** Adds a comment to an issue or pull request: https://docs.github.com/rest/issues/comments#create-an-issue-comment */
export const comment = action({
  displayName: 'Comment',
  description: 'Adds a comment to an issue or pull request, and returns it.',
  category: 'write',
  adds: true,
  props: {
    repo,
    issue_number: issueNumber,
    body: longText('Comment', { required: true, description: 'Markdown.', minLength: 1, maxLength: 65_536 }),
  },
  call: { method: 'POST', path: '/repos/{+repo}/issues/{issue_number}/comments', body: ['body'] },
});
