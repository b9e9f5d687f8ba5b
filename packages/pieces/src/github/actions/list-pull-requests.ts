import { action, dropdown, expandPath, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { raw, readPage } from '../answers.js';
import { PULL_REQUEST_ITEM } from '../fields.js';
import { ofRepository } from '../options.js';
import { order, page, repo, state } from '../properties.js';

/** Lists the pull requests of a repository: https://docs.github.com/rest/pulls/pulls#list-pull-requests */
export const listPullRequests = action({
  displayName: 'List pull requests',
  description:
    'Lists the pull requests of a repository, newest first. Returns one page and the number of the next page.',
  category: 'read',
  props: {
    repo,
    state,
    head: shortText('From', { description: 'Owner and branch, such as octocat:fix.', pattern: '^[^\\s:]+:[^\\s:]+$' }),
    base: dropdown('Into', {
      description: 'The branch to merge into.',
      refreshers: ['repo'],
      options: ofRepository('branches', 'name'),
    }),
    sort: staticDropdown('Sort by', ['created', 'updated', 'popularity', 'long-running'], {
      description: 'Defaults to created.',
    }),
    direction: order,
    ...page,
    raw,
  },
  run: async ({ http, input }) => {
    const { repo: _repo, raw: isRaw, ...query } = input;
    const request = { method: 'GET', path: expandPath('/repos/{+repo}/pulls', input), query };
    return readPage(http, request, { fields: PULL_REQUEST_ITEM, isRaw });
  },
});
