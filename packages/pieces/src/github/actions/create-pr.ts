import { action, checkbox, expandPath, shortText } from '@drawbridge/piece-kit';
import { raw, short } from '../answers.js';
import { PULL_REQUEST } from '../fields.js';
import { body, branch, repo } from '../properties.js';

/** Opens a pull request to merge one branch into another: https://docs.github.com/rest/pulls/pulls#create-a-pull-request */
export const createPr = action({
  displayName: 'Create pull request',
  description: 'Opens a pull request to merge one branch into another, and returns it with its number.',
  summary: 'Open a pull request in {repo}',
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
      description: 'Lets maintainers push. Only for forks. Defaults to true.',
    }),
    raw,
  },
  run: async ({ http, input }) => {
    const { repo: _repo, raw: isRaw, ...pull } = input;
    const path = expandPath('/repos/{+repo}/pulls', input);
    return short(await http.json({ method: 'POST', path, json: pull }), PULL_REQUEST, isRaw);
  },
});
