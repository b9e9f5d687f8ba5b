import { dropdown, longText, multiSelect, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { ofRepository, repositories, REPOSITORY } from './options.js';

export const repo = dropdown('Repository', {
  required: true,
  description: 'Owner and name, such as octocat/hello-world.',
  pattern: REPOSITORY,
  maxLength: 140,
  options: repositories,
});

const branches = { refreshers: ['repo'], options: ofRepository('branches', 'name') } as const;

/** Properties that select a branch. */
export const branch = {
  toRead: dropdown('Branch, tag or commit', { ...branches, description: 'Defaults to the default branch.' }),
  toWrite: dropdown('Branch', { ...branches, description: 'Defaults to the default branch.' }),
  head: dropdown('Branch to merge', {
    ...branches,
    required: true,
    description: 'The branch with the changes. For a fork, add its owner: octocat:fix.',
  }),
  base: dropdown('Into', { ...branches, required: true, description: 'The branch to merge into, such as main.' }),
};

/** Matches a path segment other than `.` and `..`. Avoids lookaheads, which the validators of some MCP clients do not support. */
const SEGMENT = '([^./\\r\\n]|\\.[^./\\r\\n]|\\.\\.[^/\\r\\n])[^/\\r\\n]*';

export const path = shortText('Path', {
  required: true,
  description: 'Path from the root of the repository, such as src/index.ts.',
  pattern: `^${SEGMENT}(/${SEGMENT})*$`,
});

export const issueNumber = number('Issue number', {
  required: true,
  description: 'Number of the issue or pull request, such as 42.',
  integer: true,
  minimum: 1,
});

export const pullNumber = number('Pull request number', {
  required: true,
  description: 'Number of the pull request, such as 42.',
  integer: true,
  minimum: 1,
});

export const body = longText('Body', { description: 'Markdown.', maxLength: 65_536 });

/** The fields of an issue that both create and update accept. */
export const issueFields = {
  body,
  labels: multiSelect('Labels', {
    description: 'Names of labels: ["bug"].',
    refreshers: ['repo'],
    options: ofRepository('labels', 'name'),
  }),
  assignees: multiSelect('Assignees', {
    description: 'Logins of users: ["octocat"].',
    refreshers: ['repo'],
    options: ofRepository('assignees', 'login'),
  }),
  milestone: number('Milestone', { description: 'The number of a milestone.', integer: true, minimum: 1 }),
};

export const state = staticDropdown('State', ['open', 'closed', 'all'], { description: 'Defaults to open.' });

export const order = staticDropdown('Order', ['desc', 'asc'], { description: 'desc is newest or largest first.' });

export const page = {
  per_page: number('Page size', {
    description: 'Items per page. Defaults to 30.',
    integer: true,
    minimum: 1,
    maximum: 100,
  }),
  page: number('Page', { description: 'Page number. The first is 1.', integer: true, minimum: 1 }),
};
