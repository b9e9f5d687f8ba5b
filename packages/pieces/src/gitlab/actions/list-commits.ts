import { action, collect, dateTime, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit, PAGE, project, ref } from '../properties.js';
import { inProject } from '../records.js';

const COMMIT = same('id', 'title', 'message', 'author_name', 'author_email', 'created_at', 'parent_ids', 'web_url');

/** Lists the commits of a branch: https://docs.gitlab.com/api/commits/#list-repository-commits */
export const listCommits = action({
  displayName: 'List commits',
  description: 'Lists the commits of a branch, newest first.',
  category: 'read',
  props: {
    project,
    ref,
    path: shortText('Path', { description: 'Only commits that changed this file or folder.', maxLength: 1_000 }),
    since: dateTime('Since', { description: 'Only commits after this time.' }),
    until: dateTime('Until', { description: 'Only commits before this time.' }),
    limit,
  },
  run: async ({ http, input: { project: id, ref: ref_name, limit: count = 20, ...wanted } }) => {
    const query = { ref_name, ...wanted, per_page: Math.min(count, PAGE) };
    const path = inProject(id, '/repository/commits');
    return (await collect(http.pages({ method: 'GET', path, query }, count))).map((one) => pickFields(one, COMMIT));
  },
});
