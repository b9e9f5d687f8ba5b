import { action, checkbox, shortText } from '@drawbridge/piece-kit';
import { body, branch, repo } from '../properties.js';

/** https://docs.github.com/rest/pulls/pulls#create-a-pull-request */
export const createPr = action({
  displayName: 'Create pull request',
  description: 'Opens a pull request to merge one branch into another, and returns its number.',
  category: 'write',
  adds: true,
  props: {
    repo,
    title: shortText('Title', { required: true, minLength: 1, maxLength: 256 }),
    head: branch.head,
    base: branch.base,
    body,
    draft: checkbox('Draft', { description: 'Opens a draft, not yet ready for review.' }),
    maintainer_can_modify: checkbox('Maintainers can modify', {
      description: 'Lets maintainers push to the branch. Only for forks. Defaults to true.',
    }),
  },
  call: {
    method: 'POST',
    path: '/repos/{+repo}/pulls',
    body: ['title', 'head', 'base', 'body', 'draft', 'maintainer_can_modify'],
  },
});
