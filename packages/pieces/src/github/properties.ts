import { longText, multiSelect, number, shortText } from '@drawbridge/piece-kit';

export const repo = shortText('Repository', {
  required: true,
  description: 'Owner and name, as in octocat/hello-world.',
  pattern: '^[A-Za-z0-9_-]+/(?!\\.{1,2}$)[A-Za-z0-9._-]+$',
  maxLength: 140,
});

export const issueNumber = number('Issue number', {
  required: true,
  description: 'Of an issue or a pull request.',
  integer: true,
  minimum: 1,
});

/** What an issue says, in creating and in updating alike. */
export const issueFields = {
  body: longText('Body', { description: 'Markdown.', maxLength: 65_536 }),
  labels: multiSelect('Labels', { description: 'Names of labels.', refreshers: ['repo'] }),
  assignees: multiSelect('Assignees', { description: 'Logins of users.', refreshers: ['repo'] }),
  milestone: number('Milestone', { description: 'The number of a milestone.', integer: true, minimum: 1 }),
};

export const page = {
  per_page: number('Items a page', { description: '30 if absent.', integer: true, minimum: 1, maximum: 100 }),
  page: number('Page', { description: 'From 1.', integer: true, minimum: 1 }),
};
