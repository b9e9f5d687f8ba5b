import { dropdown, longText, multiSelect, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { ofRepository, repositories, REPOSITORY } from './options.js';

export const repo = dropdown('Repository', {
  required: true,
  description: 'Such as octocat/hello-world.',
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
    description: 'The branch with the changes; of a fork octocat:fix.',
  }),
  base: dropdown('Into', { ...branches, required: true, description: 'The branch to merge into.' }),
};

/** Matches a path segment other than `.` and `..`, without lookaheads, which the validators of some MCP clients do not support. */
const SEGMENT = '([^./\\r\\n]|\\.[^./\\r\\n]|\\.\\.[^/\\r\\n])[^/\\r\\n]*';

export const path = shortText('Path', {
  required: true,
  description: 'Such as src/index.ts.',
  pattern: `^${SEGMENT}(/${SEGMENT})*$`,
});

export const issueNumber = number('Issue number', {
  required: true,
  description: 'The number of an issue or pull request.',
  integer: true,
  minimum: 1,
});

export const pullNumber = number('Pull request number', {
  required: true,
  description: 'The number of the pull request.',
  integer: true,
  minimum: 1,
});

export const body = longText('Body', { description: 'Markdown.', maxLength: 65_536 });

/** The fields of an issue that creating and updating accept. */
export const issueFields = {
  body,
  labels: multiSelect('Labels', {
    description: 'Such as ["bug"].',
    refreshers: ['repo'],
    options: ofRepository('labels', 'name'),
  }),
  assignees: multiSelect('Assignees', {
    description: 'Logins: ["octocat"].',
    refreshers: ['repo'],
    options: ofRepository('assignees', 'login'),
  }),
  milestone: number('Milestone', { description: 'The number of a milestone.', integer: true, minimum: 1 }),
};

export const state = staticDropdown('State', ['open', 'closed', 'all'], { description: 'Defaults to open.' });

export const order = staticDropdown('Order', ['desc', 'asc'], { description: 'desc: newest or largest first.' });

export const page = {
  per_page: number('Page size', {
    description: 'Defaults to 30.',
    integer: true,
    minimum: 1,
    maximum: 100,
  }),
  page: number('Page', { description: 'The first is 1.', integer: true, minimum: 1 }),
};
