import { action, collect, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit, onlyRef, PAGE, project } from '../properties.js';
import { inProject } from '../records.js';

const STATUSES = [
  ...['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'success', 'failed', 'canceled', 'skipped'],
  ...['manual', 'scheduled'],
];
const PIPELINE = same('id', 'iid', 'status', 'source', 'ref', 'sha', 'web_url', 'created_at', 'updated_at');

/** Lists the pipelines of a project: https://docs.gitlab.com/api/pipelines/#list-project-pipelines */
export const listPipelines = action({
  displayName: 'List pipelines',
  description: 'Lists the pipelines of a project, newest first.',
  category: 'read',
  props: {
    project,
    ref: onlyRef,
    status: staticDropdown('Status', STATUSES, { description: 'Only pipelines with this status.' }),
    limit,
  },
  run: async ({ http, input: { project: id, limit: count = 20, ...wanted } }) => {
    const query = { ...wanted, per_page: Math.min(count, PAGE) };
    const pipelines = await collect(http.pages({ method: 'GET', path: inProject(id, '/pipelines'), query }, count));
    return pipelines.map((pipeline) => pickFields(pipeline, PIPELINE));
  },
});
