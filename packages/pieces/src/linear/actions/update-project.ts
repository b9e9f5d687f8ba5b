import { action, dropdown, graphqlRequest, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { PROJECT_UPDATE } from '../documents.js';
import { projects, users } from '../options.js';
import { day, PRIORITIES } from '../properties.js';
import { resultOf } from '../result-of.js';

/** Changes fields of a project: https://linear.app/developers/graphql#queries-and-mutations */
export const updateProject = action({
  displayName: 'Update project',
  description: 'Changes fields of a project and returns it.',
  category: 'write',
  idempotent: true,
  props: {
    id: dropdown('Project', { required: true, description: 'The id of a project.', options: projects }),
    name: shortText('Name', { description: 'The new name.', minLength: 1, maxLength: 80 }),
    description: shortText('Summary', { description: 'One sentence about the project.', maxLength: 255 }),
    content: longText('Content', { description: 'Markdown.', maxLength: 100_000 }),
    leadId: dropdown('Lead', { description: 'The id of a user.', options: users }),
    startDate: day('Start'),
    targetDate: day('Target'),
    priority: staticDropdown('Priority', PRIORITIES, { description: 'The new priority.' }),
  },
  run: async ({ http, input: { id, ...input } }) =>
    resultOf(await http.json(graphqlRequest(PROJECT_UPDATE, { id, input })), 'projectUpdate', 'project'),
});
