import { action, checkbox, dropdown, collect, connectionPaging, graphqlRequest } from '@drawbridge/piece-kit';
import { PROJECTS, TEAM_PROJECTS } from '../documents.js';
import { teams } from '../options.js';
import { limit } from '../properties.js';

export const listProjects = action({
  displayName: 'List projects',
  description: 'Lists the projects of a team or of the whole workspace.',
  category: 'read',
  props: {
    teamId: dropdown('Team', { description: 'Defaults to all teams.', options: teams }),
    includeArchived: checkbox('Include archived'),
    limit,
  },
  run: async ({ http, input: { limit: count = 50, ...variables } }) => {
    const ofTeam = variables.teamId !== undefined;
    const request = graphqlRequest(ofTeam ? TEAM_PROJECTS : PROJECTS, { ...variables, first: Math.min(count, 50) });
    return collect(
      http.pages(request, count, ofTeam ? connectionPaging('team', 'projects') : connectionPaging('projects')),
    );
  },
});
