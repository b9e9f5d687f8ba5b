import { action } from '@drawbridge/piece-kit';
import { issueIid, project } from '../properties.js';
import { inProject, toIssue } from '../records.js';

/** Returns an issue of a project: https://docs.gitlab.com/api/issues/#single-project-issue */
export const getIssue = action({
  displayName: 'Get issue',
  description: 'Reads an issue: its title, description, state, labels and assignees.',
  category: 'read',
  props: { project, issue: issueIid },
  run: async ({ http, input: { project: id, issue } }) =>
    toIssue(await http.json({ method: 'GET', path: inProject(id, '/issues/{issue}', { issue }) })),
});
