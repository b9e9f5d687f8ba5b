import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { comment } from './actions/comment.js';
import { createIssue } from './actions/create-issue.js';
import { getFile } from './actions/get-file.js';
import { listCommits } from './actions/list-commits.js';
import { searchIssues } from './actions/search-issues.js';
import { updateIssue } from './actions/update-issue.js';

export const github = piece({
  name: 'github',
  displayName: 'GitHub',
  description: 'Issues, files and commits of repositories.',
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
      // GitHub Apps, whose tokens end, have the same endpoint.
      grantRefusedWhen: ['bad_refresh_token'],
      revoke: {
        // This token alone: `/grant` would end the person's other connections, too.
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
  },
  actions: {
    create_issue: createIssue,
    comment,
    update_issue: updateIssue,
    search_issues: searchIssues,
    get_file: getFile,
    list_commits: listCommits,
  },
});
