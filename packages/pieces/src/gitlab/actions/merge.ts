import { action, checkbox, longText, shortText } from '@drawbridge/piece-kit';
import { project, requestIid } from '../properties.js';
import { inProject, toMergeRequest } from '../records.js';

/** Merges a merge request, immediately or when its pipeline succeeds: https://docs.gitlab.com/api/merge_requests/#merge-a-merge-request */
export const mergeMergeRequest = action({
  displayName: 'Merge',
  description: 'Merges a merge request, at once or when its pipeline succeeds. Returns it.',
  category: 'write',
  props: {
    project,
    merge_request: requestIid,
    sha: shortText('Commit', {
      description: 'Last commit of the source branch. The action fails if there is a newer one.',
      pattern: '^[0-9a-f]{40,64}$',
    }),
    squash: checkbox('Squash', { description: 'Merges all commits as one.' }),
    merge_commit_message: longText('Message', { description: 'The message of the commit.', maxLength: 10_000 }),
    should_remove_source_branch: checkbox('Remove branch', { description: 'Deletes the source branch.' }),
    auto_merge: checkbox('Auto-merge', { description: 'Waits for the pipeline. Defaults to false.' }),
  },
  run: async ({ http, input: { project: id, merge_request, ...json } }) => {
    const path = inProject(id, '/merge_requests/{merge_request}/merge', { merge_request });
    return toMergeRequest(await http.json({ method: 'PUT', path, json }));
  },
});
