import { action, checkbox, multiSelect } from '@drawbridge/piece-kit';
import { members } from '../options.js';
import { assignees, branch, description, labels, project, title } from '../properties.js';
import { inProject, toMergeRequest } from '../records.js';

/** Creates a merge request: https://docs.gitlab.com/api/merge_requests/#create-mr */
export const createMergeRequest = action({
  displayName: 'Create merge request',
  description: 'Asks to merge a branch into another one, and returns the number and URL of the merge request.',
  category: 'write',
  adds: true,
  props: {
    project,
    source_branch: branch,
    target_branch: branch,
    title,
    description,
    labels,
    assignee_ids: assignees,
    reviewer_ids: multiSelect('Reviewers', {
      description: 'Ids of users.',
      pattern: '^[0-9]{1,20}$',
      options: members,
      refreshers: ['project'],
    }),
    remove_source_branch: checkbox('Remove branch', { description: 'Deletes the source branch when it is merged.' }),
    squash: checkbox('Squash', { description: 'Merges all commits as one.' }),
  },
  run: async ({ http, input: { project: id, labels: names, assignee_ids, reviewer_ids, ...fields } }) => {
    const json = {
      ...fields,
      ...(names && { labels: names.join(',') }),
      ...(assignee_ids && { assignee_ids: assignee_ids.map(Number) }),
      ...(reviewer_ids && { reviewer_ids: reviewer_ids.map(Number) }),
    };
    return toMergeRequest(await http.json({ method: 'POST', path: inProject(id, '/merge_requests'), json }));
  },
});
