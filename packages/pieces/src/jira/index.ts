import { piece } from '@drawbridge/piece-kit';
import { ATLASSIAN, atlassianAuth, atlassianHttp } from '../atlassian.js';
import { addAttachment } from './actions/add-attachment.js';
import { addWorklog } from './actions/add-worklog.js';
import { assign } from './actions/assign.js';
import { comment } from './actions/comment.js';
import { createIssue } from './actions/create-issue.js';
import { createSprintIssue } from './actions/create-sprint-issue.js';
import { getIssue } from './actions/get-issue.js';
import { linkIssues } from './actions/link-issues.js';
import { listProjects } from './actions/list-projects.js';
import { search } from './actions/search.js';
import { transition } from './actions/transition.js';
import { updateIssue } from './actions/update-issue.js';
import { commentCreated } from './triggers/comment-created.js';
import { issueCreated } from './triggers/issue-created.js';
import { issueUpdated } from './triggers/issue-updated.js';

export const jira = piece({
  name: 'jira',
  displayName: 'Jira',
  description: 'Creates, changes, finds and discusses issues of Jira Cloud.',
  categories: ['DEVELOPER_TOOLS', 'PRODUCTIVITY'],
  origin: { OAUTH2: `${ATLASSIAN}/ex/jira/{cloudId}`, CUSTOM_AUTH: 'https://{site}.atlassian.net' },
  origins: [ATLASSIAN],
  auth: atlassianAuth(
    ['read:jira-work', 'write:jira-work', 'read:jira-user', 'manage:jira-webhook'],
    '/rest/api/3/myself',
  ),
  http: atlassianHttp,
  actions: {
    create_issue: createIssue,
    update_issue: updateIssue,
    get_issue: getIssue,
    search,
    transition,
    comment,
    assign,
    add_attachment: addAttachment,
    list_projects: listProjects,
    link_issues: linkIssues,
    add_worklog: addWorklog,
    create_sprint_issue: createSprintIssue,
  },
  triggers: { issue_created: issueCreated, issue_updated: issueUpdated, comment_created: commentCreated },
});
