import {
  action,
  checkbox,
  dateTime,
  expandPath,
  member,
  multiSelect,
  shortText,
  staticDropdown,
} from '@drawbridge/piece-kit';
import { raw, readPage } from '../answers.js';
import { ISSUE_ITEM } from '../fields.js';
import { ofRepository } from '../options.js';
import { order, page, repo, state } from '../properties.js';

/** Lists the issues of a repository by filters: https://docs.github.com/rest/issues/issues#list-repository-issues */
export const listIssues = action({
  displayName: 'List issues',
  description:
    'Lists the issues of a repository by filters, newest first. Returns one page and the number of the next page.',
  category: 'read',
  props: {
    repo,
    state,
    labels: multiSelect('Labels', {
      description: 'Only issues that have all these labels: ["bug"].',
      refreshers: ['repo'],
      options: ofRepository('labels', 'name'),
    }),
    assignee: shortText('Assignee', { description: 'A login, none, or * for any.' }),
    creator: shortText('Author', { description: 'The login of a user.' }),
    mentioned: shortText('Mentioned', { description: 'The login of a user.' }),
    milestone: shortText('Milestone', { description: 'The number of a milestone, none, or * for any.' }),
    since: dateTime('Updated since', { description: 'Only issues that changed at or after this time.' }),
    sort: staticDropdown('Sort by', ['created', 'updated', 'comments'], { description: 'Defaults to created.' }),
    direction: order,
    pull_requests: checkbox('Include pull requests', {
      description: 'Includes pull requests, which GitHub counts as issues. Without them pages can be shorter.',
    }),
    ...page,
    raw,
  },
  run: async ({ http, input }) => {
    const { repo: _repo, pull_requests: withPulls, raw: isRaw, labels, ...filters } = input;
    const query = { ...filters, labels: labels?.join(',') };
    const keep = (item: unknown): boolean => withPulls === true || member(item, 'pull_request') === undefined;
    const request = { method: 'GET', path: expandPath('/repos/{+repo}/issues', input), query };
    return readPage(http, request, { fields: ISSUE_ITEM, isRaw, keep });
  },
});
