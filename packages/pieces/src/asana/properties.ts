import { dateTime, dropdown, json, longText, multiSelect, number, shortText } from '@drawbridge/piece-kit';
import { GID, ofWorkspace, sections, workspaces } from './options.js';

const WORKSPACE = { pattern: GID, options: workspaces } as const;
const IN_WORKSPACE = { refreshers: ['workspace'] } as const;
const USER = 'The gid or email address of a user, or "me"';

export const workspace = dropdown('Workspace', {
  ...WORKSPACE,
  required: true,
  description: 'The gid of a workspace or an organization.',
});

/** A workspace that limits the options of other fields in a form. The action does not send it to Asana. */
export const formWorkspace = dropdown('Workspace', {
  ...WORKSPACE,
  description: 'Only filters the options of other fields.',
});

const PROJECT = { ...IN_WORKSPACE, pattern: GID, options: ofWorkspace('project') } as const;

export const project = dropdown('Project', { ...PROJECT, description: 'The gid of a project.' });
export const requiredProject = dropdown('Project', {
  ...PROJECT,
  required: true,
  description: 'The gid of a project.',
});
export const projects = multiSelect('Projects', {
  ...PROJECT,
  description: 'The gids of projects to add the task to.',
});

/** A project that limits the sections in a form. The action does not send it to Asana. */
export const formProject = dropdown('Project', {
  ...PROJECT,
  description: 'A form lists only the sections of this project.',
});

const SECTION = { refreshers: ['project'], pattern: GID, options: sections } as const;

export const section = dropdown('Section', { ...SECTION, description: 'The gid of a section.' });
export const requiredSection = dropdown('Section', {
  ...SECTION,
  required: true,
  description: 'The gid of a section.',
});

const TASK = { ...IN_WORKSPACE, pattern: GID, options: ofWorkspace('task') } as const;

export const task = dropdown('Task', { ...TASK, required: true, description: 'The gid of a task.' });
export const otherTask = (displayName: string, description: string) => dropdown(displayName, { ...TASK, description });

const USERS = { ...IN_WORKSPACE, minLength: 1, options: ofWorkspace('user') } as const;

export const assignee = dropdown('Assignee', { ...USERS, description: `${USER}.` });
export const assignedTo = dropdown('Assignee', { ...USERS, description: `${USER}.` });

const FOLLOWERS = { ...USERS, description: 'Users to notify of changes: gids, email addresses or "me".' } as const;

export const followers = multiSelect('Followers', FOLLOWERS);
export const requiredFollowers = multiSelect('Followers', { ...FOLLOWERS, required: true });

export const tags = multiSelect('Tags', {
  ...IN_WORKSPACE,
  description: 'The gids of tags.',
  pattern: GID,
  options: ofWorkspace('tag'),
});

export const team = dropdown('Team', {
  ...IN_WORKSPACE,
  description: 'Required in an organization.',
  pattern: GID,
  options: ofWorkspace('team'),
});

export const name = shortText('Name', { required: true, minLength: 1 });
export const newName = shortText('Name', { minLength: 1 });

export const notes = {
  notes: longText('Notes', { description: 'Plain text.' }),
  html_notes: longText('Notes as HTML', {
    description: 'Instead of the notes: <body>Some <strong>bold</strong> text</body>.',
  }),
};

/** A date without a time. */
export const day = (displayName: string, description: string) =>
  shortText(displayName, { description: `${description}, such as 2026-01-31.`, pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** The fields of a task that creating and updating accept. */
export const taskFields = {
  ...notes,
  assignee,
  due_on: day('Due date', 'The due day'),
  due_at: dateTime('Due time', { description: 'Instead of the due date.' }),
  start_on: day('Start date', 'First day. Requires a due date or time'),
  custom_fields: json('Custom fields', {
    description: 'By the gid of a field: {"1201": "Text", "1202": 4.5}.',
    schema: { type: 'object' },
  }),
};

export const TASK_FIELDS = [
  'notes',
  'html_notes',
  'assignee',
  'due_on',
  'due_at',
  'start_on',
  'custom_fields',
] as const;

export const limit = (maximum: number, fallback = '') =>
  number('Limit', { description: `Maximum number of tasks.${fallback}`, integer: true, minimum: 1, maximum });
