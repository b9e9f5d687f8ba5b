import { authorizationHeader, piece, type Credential, type Http, graphqlRequest } from '@drawbridge/piece-kit';
import { comment } from './actions/comment.js';
import { createIssue } from './actions/create-issue.js';
import { createProject } from './actions/create-project.js';
import { listProjects } from './actions/list-projects.js';
import { search } from './actions/search.js';
import { updateIssue } from './actions/update-issue.js';
import { addLink } from './actions/add-link.js';
import { archiveIssue } from './actions/archive-issue.js';
import { getIssue } from './actions/get-issue.js';
import { listIssues } from './actions/list-issues.js';
import { listTeams } from './actions/list-teams.js';
import { listUsers } from './actions/list-users.js';
import { updateProject } from './actions/update-project.js';
import { VIEWER } from './documents.js';
import { failedWhen } from './failed-when.js';
import { comment as commentChanged } from './triggers/comment.js';
import { issue } from './triggers/issue.js';
import { newIssue } from './triggers/new-issue.js';
import { project } from './triggers/project.js';

export const linear = piece({
  name: 'linear',
  displayName: 'Linear',
  description: 'Manages issues, comments and projects.',
  categories: ['DEVELOPER_TOOLS', 'PRODUCTIVITY'],
  origin: 'https://api.linear.app',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description: 'Acts as the connected user. Create a personal API key (lin_api_…) in the settings of Linear.',
    test: (http: Http) => http.json(graphqlRequest(VIEWER)),
    refusedWhen: [{ status: 401 }, { code: 'AUTHENTICATION_ERROR' }],
    shares: ['Read and change the issues, comments and projects that you can access'],
    keysUrl: 'https://linear.app/settings/account/security',
    oauth2: {
      authUrl: 'https://linear.app/oauth/authorize',
      tokenUrl: 'https://api.linear.app/oauth/token',
      scopes: ['read', 'write'],
      scopeSeparator: ',',
      revoke: { url: 'https://api.linear.app/oauth/revoke' },
    },
  },
  http: {
    authorize,
    failedWhen,
    // A response that means a rate limit has the status 400 and this error code: https://linear.app/developers/rate-limiting
    rateLimit: {
      when: [{ code: 'RATELIMITED' }],
      wait: [{ header: 'x-ratelimit-requests-reset', as: 'time' }],
    },
  },
  actions: {
    create_issue: createIssue,
    update_issue: updateIssue,
    comment,
    search,
    list_projects: listProjects,
    create_project: createProject,
    get_issue: getIssue,
    list_issues: listIssues,
    list_teams: listTeams,
    list_users: listUsers,
    add_link: addLink,
    update_project: updateProject,
    archive_issue: archiveIssue,
  },
  triggers: { issue, comment: commentChanged, project, new_issue: newIssue },
});

/** A personal API key is sent without a scheme, as Linear requires. */
function authorize(credential: Credential): Record<string, string> {
  return credential.type === 'SECRET_TEXT' ? { authorization: credential.secretText } : authorizationHeader(credential);
}
