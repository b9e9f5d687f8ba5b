import { action, shortText } from '@drawbridge/piece-kit';
import { issueFields, repo } from '../properties.js';

/** Opens an issue in a repository: https://docs.github.com/rest/issues/issues#create-an-issue */
export const createIssue = action({
  displayName: 'Create issue',
  description: 'Opens an issue in a repository and returns it with its number.',
  summary: 'Create an issue in {repo}',
  category: 'write',
  adds: true,
  props: { repo, title: shortText('Title', { required: true, minLength: 1, maxLength: 256 }), ...issueFields },
  call: {
    method: 'POST',
    path: '/repos/{+repo}/issues',
    body: ['title', 'body', 'labels', 'assignees', 'milestone'],
  },
});
