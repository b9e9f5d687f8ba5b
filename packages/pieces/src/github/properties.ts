import { dropdown, longText, multiSelect, number, shortText } from '@drawbridge/piece-kit';
import { ofRepository, repositories, REPOSITORY } from './options.js';

export const repo = dropdown('Repository', {
  required: true,
  description: 'Owner and name, as in octocat/hello-world.',
  pattern: REPOSITORY,
  maxLength: 140,
  options: repositories,
});

const branches = { refreshers: ['repo'], options: ofRepository('branches', 'name') } as const;

/** Properties that select a branch. */
export const branch = {
  toRead: dropdown('Branch, tag or commit', { ...branches, description: 'The default branch if absent.' }),
  toWrite: dropdown('Branch', { ...branches, description: 'The default branch if absent.' }),
  head: dropdown('Branch to merge', {
    ...branches,
    required: true,
    description: 'Of a fork with its owner, as in octocat:fix.',
  }),
  base: dropdown('Into', { ...branches, required: true, description: 'The branch to merge it into.' }),
};

/** Matches a path segment other than `.` and `..`. Avoids lookaheads, which the validators of some MCP clients do not support. */
const SEGMENT = '([^./\\r\\n]|\\.[^./\\r\\n]|\\.\\.[^/\\r\\n])[^/\\r\\n]*';

export const path = shortText('Path', {
  required: true,
  description: 'From the root of the repository, as in src/index.ts.',
  pattern: `^${SEGMENT}(/${SEGMENT})*$`,
});

export const issueNumber = number('Issue number', {
  required: true,
  description: 'Of an issue or a pull request.',
  integer: true,
  minimum: 1,
});

export const body = longText('Body', { description: 'Markdown.', maxLength: 65_536 });

/** The fields of an issue that both create and update accept. */
export const issueFields = {
  body,
  labels: multiSelect('Labels', {
    description: 'Names of labels.',
    refreshers: ['repo'],
    options: ofRepository('labels', 'name'),
  }),
  assignees: multiSelect('Assignees', {
    description: 'Logins of users.',
    refreshers: ['repo'],
    options: ofRepository('assignees', 'login'),
  }),
  milestone: number('Milestone', { description: 'The number of a milestone.', integer: true, minimum: 1 }),
};

export const page = {
  per_page: number('Items a page', { description: '30 if absent.', integer: true, minimum: 1, maximum: 100 }),
  page: number('Page', { description: 'From 1.', integer: true, minimum: 1 }),
};
