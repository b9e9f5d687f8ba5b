import {
  action,
  dropdown,
  longText,
  multiSelect,
  shortText,
  staticDropdown,
  graphqlRequest,
} from '@drawbridge/piece-kit';
import { PROJECT_CREATE } from '../documents.js';
import { teams, users } from '../options.js';
import { day, PRIORITIES } from '../properties.js';
import { resultOf } from '../result-of.js';

export const createProject = action({
  displayName: 'Create project',
  description: 'Creates a project for one or more teams and returns it.',
  category: 'write',
  adds: true,
  props: {
    name: shortText('Name', { required: true, minLength: 1, maxLength: 80 }),
    teamIds: multiSelect('Teams', { required: true, description: 'Ids of teams.', options: teams }),
    description: shortText('Summary', { maxLength: 255 }),
    content: longText('Description', { description: 'Markdown.', maxLength: 100_000 }),
    leadId: dropdown('Lead', { description: 'The id of a user.', options: users }),
    priority: staticDropdown('Priority', PRIORITIES),
    startDate: day('Starts'),
    targetDate: day('Target date'),
  },
  run: async ({ http, input }) =>
    resultOf(await http.json(graphqlRequest(PROJECT_CREATE, { input })), 'projectCreate', 'project'),
});
