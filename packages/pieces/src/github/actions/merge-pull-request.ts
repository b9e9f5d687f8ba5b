import { action, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { pullNumber, repo } from '../properties.js';

/** Merges a pull request: https://docs.github.com/rest/pulls/pulls#merge-a-pull-request */
export const mergePullRequest = action({
  displayName: 'Merge pull request',
  description: 'Merges a pull request and returns the SHA of the merge. Fails if the pull request cannot be merged.',
  summary: 'Merge a pull request in {repo}',
  category: 'write',
  props: {
    repo,
    pull_number: pullNumber,
    merge_method: staticDropdown('Method', ['merge', 'squash', 'rebase'], { description: 'Defaults to merge.' }),
    commit_title: shortText('Commit title', { description: 'Defaults to a title that GitHub writes.' }),
    commit_message: longText('Commit message', { description: 'Text below the title of the commit.' }),
    sha: shortText('Head SHA', {
      description: 'Merges only if this is the newest commit: head_sha of "Get pull request".',
      pattern: '^[0-9a-f]{40,64}$',
    }),
  },
  call: {
    method: 'PUT',
    path: '/repos/{+repo}/pulls/{pull_number}/merge',
    body: ['merge_method', 'commit_title', 'commit_message', 'sha'],
  },
});
