import { action, staticDropdown } from '@drawbridge/piece-kit';
import { PROJECT } from '../answer-fields.js';
import { day, name, notes, team, workspace } from '../properties.js';

/** Creates a project in a workspace: https://developers.asana.com/reference/createproject */
export const createProject = action({
  displayName: 'Create project',
  description: 'Creates a project in a workspace and returns it with its gid.',
  category: 'write',
  adds: true,
  props: {
    workspace,
    team,
    name,
    ...notes,
    start_on: day('Start date', 'First day. Requires a due date'),
    due_on: day('Due date', 'The due day'),
    default_view: staticDropdown('View', ['list', 'board', 'calendar', 'timeline'], {
      description: 'Defaults to list.',
    }),
    privacy_setting: staticDropdown(
      'Privacy',
      [
        { label: 'Public to the workspace', value: 'public_to_workspace' },
        { label: 'Private', value: 'private' },
      ],
      { description: 'Who can find the project.' },
    ),
  },
  call: {
    method: 'POST',
    path: '/api/1.0/projects',
    query: PROJECT,
    body: ['workspace', 'team', 'name', 'notes', 'html_notes', 'start_on', 'due_on', 'default_view', 'privacy_setting'],
    bodyIn: 'data',
    result: 'data',
  },
});
