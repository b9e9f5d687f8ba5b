import { authorizationHeader, linkNext, listAt, piece } from '@drawbridge/piece-kit';
import { comment } from './actions/comment.js';
import { createIssue } from './actions/create-issue.js';
import { createPr } from './actions/create-pr.js';
import { getFile } from './actions/get-file.js';
import { listCommits } from './actions/list-commits.js';
import { putFile } from './actions/put-file.js';
import { searchIssues } from './actions/search-issues.js';
import { updateIssue } from './actions/update-issue.js';
import { newIssue } from './triggers/new-issue.js';
import { pullRequest } from './triggers/pull-request.js';
import { push } from './triggers/push.js';

export const github = piece({
  name: 'github',
  displayName: 'GitHub',
  description: 'Manages issues, pull requests, files and commits of repositories.',
  categories: ['DEVELOPER_TOOLS'],
  origin: 'https://api.github.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    test: '/user',
    oauth2: {
      authUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      scopes: ['repo', 'read:user'],
      pkce: true,
      refresh: 'none',
      // GitHub Apps use the same endpoint, and their tokens expire.
      grantRefusedWhen: ['bad_refresh_token'],
      revoke: {
        // Revokes only this token: `/grant` would also revoke the user's other connections.
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
    // https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
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
  },
  triggers: { push, pull_request: pullRequest, new_issue: newIssue },
});
