import { authorizationHeader, linkNext, listAt, piece } from '@drawbridge/piece-kit';
import { comment } from './actions/comment.js';
import { createBranch } from './actions/create-branch.js';
import { createIssue } from './actions/create-issue.js';
import { createPr } from './actions/create-pr.js';
import { createRelease } from './actions/create-release.js';
import { getFile } from './actions/get-file.js';
import { getIssue } from './actions/get-issue.js';
import { getPullRequest } from './actions/get-pull-request.js';
import { listCommits } from './actions/list-commits.js';
import { listIssues } from './actions/list-issues.js';
import { listPullRequests } from './actions/list-pull-requests.js';
import { listRepositories } from './actions/list-repositories.js';
import { mergePullRequest } from './actions/merge-pull-request.js';
import { putFile } from './actions/put-file.js';
import { reviewPullRequest } from './actions/review-pull-request.js';
import { runWorkflow } from './actions/run-workflow.js';
import { searchCode } from './actions/search-code.js';
import { searchIssues } from './actions/search-issues.js';
import { updateIssue } from './actions/update-issue.js';
import { issueComment } from './triggers/issue-comment.js';
import { newIssue } from './triggers/new-issue.js';
import { pullRequest } from './triggers/pull-request.js';
import { push } from './triggers/push.js';
import { release } from './triggers/release.js';
import { reviewRequested } from './triggers/review-requested.js';
import { star } from './triggers/star.js';
import { workflowRun } from './triggers/workflow-run.js';

export const github = piece({
  name: 'github',
  displayName: 'GitHub',
  description: 'Manages issues, pull requests, files, releases and workflows of repositories.',
  categories: ['DEVELOPER_TOOLS'],
  origin: 'https://api.github.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    test: '/user',
    shares: ['Read and change the repositories that you can access', 'See your profile'],
    keysUrl: 'https://github.com/settings/tokens',
    oauth2: {
      authUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      scopes: ['repo', 'read:user'],
      pkce: true,
      refresh: 'none',
      // OAuth apps receive no refresh token. GitHub Apps use the same endpoint, and their refresh tokens expire with this error code.
      grantRefusedWhen: ['bad_refresh_token'],
      revoke: {
        // Revokes only this token. `/grant` would also revoke other connections of the user.
        url: 'https://api.github.com/applications/{client_id}/token',
        method: 'DELETE',
        token: 'access',
        tokenParam: 'access_token',
        body: 'json',
        as: 'client-basic',
      },
    },
  },
  http: {
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    authorize: authorizationHeader,
    paging: { items: (body) => listAt(body), next: linkNext },
    // A response that means a rate limit states when the limit ends: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
    rateLimit: { wait: [{ header: 'x-ratelimit-reset', as: 'time' }] },
  },
  actions: {
    create_issue: createIssue,
    comment,
    update_issue: updateIssue,
    create_pr: createPr,
    search_issues: searchIssues,
    get_file: getFile,
    put_file: putFile,
    list_commits: listCommits,
    get_issue: getIssue,
    list_issues: listIssues,
    get_pull_request: getPullRequest,
    list_pull_requests: listPullRequests,
    merge_pull_request: mergePullRequest,
    review_pull_request: reviewPullRequest,
    list_repositories: listRepositories,
    search_code: searchCode,
    create_branch: createBranch,
    create_release: createRelease,
    run_workflow: runWorkflow,
  },
  triggers: {
    push,
    pull_request: pullRequest,
    new_issue: newIssue,
    issue_comment: issueComment,
    release,
    workflow_run: workflowRun,
    review_requested: reviewRequested,
    star,
  },
});
