import { action, checkbox, collect } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { PAGE, project, requestIid } from '../properties.js';
import { inProject, toMergeRequest } from '../records.js';

const DIFF = same('old_path', 'new_path', 'diff', 'new_file', 'renamed_file', 'deleted_file', 'too_large');
/** Maximum number of files of a diff. */
const MAX_FILES = 300;

/** Returns a merge request, and optionally its changes: https://docs.gitlab.com/api/merge_requests/#get-single-mr */
export const getMergeRequest = action({
  displayName: 'Get merge request',
  description: 'Reads a merge request, whether it can be merged, and perhaps its changes.',
  category: 'read',
  props: {
    project,
    merge_request: requestIid,
    diff: checkbox('Diff', { description: 'Adds the changed files with their diffs. Defaults to false.' }),
  },
  run: async ({ http, input: { project: id, merge_request, diff = false } }) => {
    const path = inProject(id, '/merge_requests/{merge_request}', { merge_request });
    const found = toMergeRequest(await http.json({ method: 'GET', path }));
    if (!diff) return found;
    const request = { method: 'GET', path: `${path}/diffs`, query: { per_page: PAGE } } as const;
    const files = await collect(http.pages(request, MAX_FILES));
    return { ...found, files: files.map((file) => pickFields(file, DIFF)) };
  },
});
