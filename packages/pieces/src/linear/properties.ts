import { dropdown, longText, multiSelect, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { labels, projects, states, teams, users } from './options.js';

export const team = dropdown('Team', { required: true, description: 'The id of a team.', options: teams });

export const issueId = shortText('Issue', {
  required: true,
  description: 'Such as ENG-123, or the id.',
  pattern: '^[A-Za-z0-9-]+$',
  maxLength: 50,
});

const DAY = { pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' } as const;
export const day = (displayName: string) => shortText(displayName, { description: 'Such as 2026-01-31.', ...DAY });

export const PRIORITIES = [
  { label: 'None', value: 0 },
  { label: 'Urgent', value: 1 },
  { label: 'High', value: 2 },
  { label: 'Medium', value: 3 },
  { label: 'Low', value: 4 },
] as const;

/** The fields of an issue that creating and updating accept. */
export const issueFields = {
  description: longText('Description', { description: 'Markdown.', maxLength: 100_000 }),
  stateId: dropdown('State', {
    description: 'A workflow state of the team.',
    refreshers: ['teamId'],
    options: states,
  }),
  assigneeId: dropdown('Assignee', { description: 'The id of a user.', refreshers: ['teamId'], options: users }),
  labelIds: multiSelect('Labels', { description: 'Ids of labels.', refreshers: ['teamId'], options: labels }),
  priority: staticDropdown('Priority', PRIORITIES),
  projectId: dropdown('Project', { description: 'The id of a project.', refreshers: ['teamId'], options: projects }),
  parentId: shortText('Parent', {
    description: 'Such as ENG-123.',
    maxLength: 50,
  }),
  dueDate: day('Due'),
  estimate: number('Estimate', { description: "On the team's scale, such as 3.", integer: true, minimum: 0 }),
};

export const limit = itemLimit({ defaultsTo: 50, maximum: 500 });
