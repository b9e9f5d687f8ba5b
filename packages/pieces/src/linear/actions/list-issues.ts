import {
  action,
  collect,
  connectionPaging,
  dropdown,
  graphqlRequest,
  type InputOf,
  type JsonObject,
  staticDropdown,
} from '@drawbridge/piece-kit';
import { ISSUES } from '../documents.js';
import { projects, states, teams, users } from '../options.js';
import { limit, PRIORITIES } from '../properties.js';

const filters = {
  teamId: dropdown('Team', { description: 'Defaults to all teams.', options: teams }),
  stateId: dropdown('State', { description: 'The id of a state.', refreshers: ['teamId'], options: states }),
  assigneeId: dropdown('Assignee', { description: 'The id of a user.', refreshers: ['teamId'], options: users }),
  projectId: dropdown('Project', { description: 'The id of a project.', refreshers: ['teamId'], options: projects }),
  priority: staticDropdown('Priority', PRIORITIES, { description: 'Only issues with this priority.' }),
};

/** Lists issues by team, project, state or assignee: https://linear.app/developers/filtering */
export const listIssues = action({
  displayName: 'List issues',
  description: 'Lists the issues of a team, project, state or assignee, the most recently changed first.',
  category: 'read',
  props: { ...filters, limit },
  run: async ({ http, input: { limit: count = 50, ...wanted } }) => {
    const request = graphqlRequest(ISSUES, { filter: toFilter(wanted), first: Math.min(count, 50) });
    return collect(http.pages(request, count, connectionPaging('issues')));
  },
});

function toFilter({ teamId, stateId, assigneeId, projectId, priority }: InputOf<typeof filters>): JsonObject {
  return {
    ...(teamId && { team: { id: { eq: teamId } } }),
    ...(stateId && { state: { id: { eq: stateId } } }),
    ...(assigneeId && { assignee: { id: { eq: assigneeId } } }),
    ...(projectId && { project: { id: { eq: projectId } } }),
    ...(priority !== undefined && { priority: { eq: priority } }),
  };
}
