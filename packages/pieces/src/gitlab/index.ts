import { authorizationHeader, type Credential, linkNext, listAt, piece, textAt } from '@drawbridge/piece-kit';
import { comment } from './actions/comment.js';
import { createIssue } from './actions/create-issue.js';
import { createMergeRequest } from './actions/create-merge-request.js';
import { getFile } from './actions/get-file.js';
import { getIssue } from './actions/get-issue.js';
import { getMergeRequest } from './actions/get-merge-request.js';
import { listCommits } from './actions/list-commits.js';
import { listPipelines } from './actions/list-pipelines.js';
import { mergeMergeRequest } from './actions/merge.js';
import { putFile } from './actions/put-file.js';
import { runPipeline } from './actions/run-pipeline.js';
import { searchIssues } from './actions/search-issues.js';
import { updateIssue } from './actions/update-issue.js';
import { issue } from './triggers/issue.js';
import { mergeRequest } from './triggers/merge-request.js';
import { pipeline } from './triggers/pipeline.js';
import { push } from './triggers/push.js';

const GITLAB = 'https://gitlab.com';
const address = {
  displayName: 'Address',
  description: 'The address of the instance, such as https://gitlab.example.com.',
};

export const gitlab = piece({
  name: 'gitlab',
  displayName: 'GitLab',
  description: 'Manages issues, merge requests, files and pipelines of projects, on gitlab.com or your own instance.',
  categories: ['DEVELOPER_TOOLS'],
  origin: { OAUTH2: GITLAB, CUSTOM_AUTH: '{address}' },
  auth: {
    types: ['OAUTH2', 'CUSTOM_AUTH'],
    required: true,
    description: 'A personal, group or project access token with the scope "api". The OAuth app is one of gitlab.com.',
    props: {
      address: { ...address, required: true, secret: false },
      token: { displayName: 'Access token', description: 'Such as glpat-….', required: true, secret: true },
    },
    test: '/api/v4/user',
    afterConnect: async (http) => ({
      label: textAt(await http.json({ method: 'GET', path: '/api/v4/user' }), 'username'),
    }),
    // The OAuth flow of the provider is documented at https://docs.gitlab.com/api/oauth2/
    shares: ['Read and change the projects that you can access', 'See your profile'],
    oauth2: {
      authUrl: `${GITLAB}/oauth/authorize`,
      tokenUrl: `${GITLAB}/oauth/token`,
      scopes: ['api', 'read_user'],
      pkce: true,
      refresh: 'rotating',
      revoke: { url: `${GITLAB}/oauth/revoke` },
    },
  },
  http: {
    authorize,
    // Lists have a Link header with the next page: https://docs.gitlab.com/api/rest/#pagination
    paging: { items: (body) => listAt(body), next: linkNext },
    // The message is a string, or contains lists of strings by field: https://docs.gitlab.com/api/rest/troubleshooting/#data-validation-and-errors
    failure: { message: ['message', 'error_description', 'error'] },
    rateLimit: { wait: [{ header: 'ratelimit-reset', as: 'time' }] },
  },
  actions: {
    create_issue: createIssue,
    update_issue: updateIssue,
    get_issue: getIssue,
    comment,
    search_issues: searchIssues,
    create_merge_request: createMergeRequest,
    get_merge_request: getMergeRequest,
    merge: mergeMergeRequest,
    get_file: getFile,
    put_file: putFile,
    list_pipelines: listPipelines,
    run_pipeline: runPipeline,
    list_commits: listCommits,
  },
  triggers: { push, merge_request: mergeRequest, issue, pipeline },
});

function authorize(credential: Credential): Record<string, string> {
  if (credential.type !== 'CUSTOM_AUTH') return authorizationHeader(credential);
  return authorizationHeader({ type: 'SECRET_TEXT', secretText: textAt(credential.props, 'token') ?? '' });
}
