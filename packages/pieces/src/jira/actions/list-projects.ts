import { action, collect, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { API } from '../issue.js';
import { projectPages } from '../options.js';
import { limit } from '../properties.js';

/**
 * Lists the projects that the connection can access:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-projects/#api-rest-api-3-project-search-get
 */
export const listProjects = action({
  displayName: 'List projects',
  description: 'Lists the projects that the connection can see.',
  category: 'read',
  props: { query: shortText('Text', { description: 'Words of the key or the name.', maxLength: 255 }), limit },
  run: async ({ http, input: { query, limit: count = 50 } }) => {
    const request = { method: 'GET', path: `${API}/project/search`, query: { query, maxResults: 50 } } as const;
    const projects = await collect(http.pages(request, count, projectPages));
    return projects.map((project) => pickFields(project, same('id', 'key', 'name', 'projectTypeKey', 'isPrivate')));
  },
});
