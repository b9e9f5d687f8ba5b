import { dropdown, longText, multiSelect, number, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { branches, labels as labelOptions, members, projects } from './options.js';

const PROJECT = { pattern: '^[^?#\\s]+$', maxLength: 500, options: projects } as const;
export const project = dropdown('Project', {
  ...PROJECT,
  required: true,
  description: 'Its path, such as group/project, or its number.',
});
export const onlyProject = dropdown('Project', {
  ...PROJECT,
  description: 'Defaults to all that the connection can see.',
});

const iid = { required: true, integer: true, minimum: 1 } as const;
export const issueIid = number('Issue', { ...iid, description: 'Its number in the project: 7 of #7.' });
export const requestIid = number('Merge request', {
  ...iid,
  description: 'Its number in the project: 7 of !7.',
});

const TITLE = { minLength: 1, maxLength: 255 } as const;
export const title = shortText('Title', { ...TITLE, required: true, description: 'The title.' });
export const newTitle = shortText('Title', { ...TITLE, description: 'The new title.' });
export const description = longText('Description', { description: 'Markdown.', maxLength: 1_000_000 });

export const labels = multiSelect('Labels', {
  description: 'Names of labels.',
  options: labelOptions,
  refreshers: ['project'],
});
export const assignees = multiSelect('Assignees', {
  description: 'Ids of users.',
  pattern: '^[0-9]{1,20}$',
  options: members,
  refreshers: ['project'],
});
export const dueDate = shortText('Due date', {
  description: 'Such as 2026-01-31.',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
});

const BRANCH = { minLength: 1, maxLength: 255, options: branches, refreshers: ['project'] } as const;
export const branch = dropdown('Branch', { ...BRANCH, required: true, description: 'A branch.' });
export const ref = dropdown('Ref', {
  ...BRANCH,
  description: 'A branch, tag or commit. Defaults to the default branch.',
});
export const onlyRef = dropdown('Ref', { ...BRANCH, description: 'Only this branch or tag. Absent: all.' });
export const requiredRef = dropdown('Ref', { ...BRANCH, required: true, description: 'The name of a branch or tag.' });

export const filePath = shortText('Path', {
  required: true,
  description: 'Such as docs/README.md.',
  minLength: 1,
  maxLength: 1_000,
});

export const limit = itemLimit({ defaultsTo: 20, maximum: 500 });

/** The maximum page size. */
export const PAGE = 100;
