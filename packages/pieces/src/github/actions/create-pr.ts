import { action, checkbox, shortText } from '@drawbridge/piece-kit';
import { body, branch, repo } from '../properties.js';

/** https://docs.github.com/rest/pulls/pulls#create-a-pull-request */
export const createPr = action({
  displayName: 'Create pull request',
  description: 'Asks for a branch to be merged into another.',
  category: 'write',
  adds: true,
  props: {
    repo,
    title: shortText('Title', { required: true, minLength: 1, maxLength: 256 }),
    head: branch.head,
    base: branch.base,
    body,
    draft: checkbox('Draft', { description: 'Not ready for review yet.' }),
    maintainer_can_modify: checkbox('Maintainers may change it', { description: 'Of a fork alone; true if absent.' }),
  },
  call: {
    method: 'POST',
    path: '/repos/{+repo}/pulls',
    body: ['title', 'head', 'base', 'body', 'draft', 'maintainer_can_modify'],
  },
});
