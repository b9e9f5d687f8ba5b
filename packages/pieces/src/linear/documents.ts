const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
const ISSUE = `id identifier title description url priority dueDate createdAt updatedAt
      state { id name type } team { id key name } assignee { id name email }
      labels(first: 50) { nodes { id name } } project { id name }`;
const PROJECT = 'id name description url startDate targetDate status { id name type }';

export const ISSUE_CREATE = `mutation IssueCreate($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { ${ISSUE} } }
}`;

export const ISSUE_UPDATE = `mutation IssueUpdate($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { ${ISSUE} } }
}`;

export const COMMENT_CREATE = `mutation CommentCreate($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { id body url createdAt } }
}`;

export const PROJECT_CREATE = `mutation ProjectCreate($input: ProjectCreateInput!) {
  projectCreate(input: $input) { success project { ${PROJECT} } }
}`;

export const SEARCH_ISSUES = `query SearchIssues(
  $term: String!, $teamId: String, $includeComments: Boolean, $includeArchived: Boolean, $first: Int!, $after: String
) {
  searchIssues(
    term: $term, teamId: $teamId, includeComments: $includeComments, includeArchived: $includeArchived, first: $first, after: $after
  ) { nodes { ${ISSUE} } ${PAGE_INFO} }
}`;

export const GET_ISSUE = `query Issue($id: String!) {
  issue(id: $id) { ${ISSUE} comments(first: 50) { nodes { id body createdAt user { name } } } }
}`;

export const ISSUES = `query Issues($filter: IssueFilter, $first: Int!, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt) { nodes { ${ISSUE} } ${PAGE_INFO} }
}`;

export const NEW_ISSUES = `query NewIssues($filter: IssueFilter, $first: Int!, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: createdAt) { nodes { ${ISSUE} } ${PAGE_INFO} }
}`;

export const ISSUE_ARCHIVE = `mutation IssueArchive($id: String!) {
  issueArchive(id: $id) { success }
}`;

export const ATTACH_LINK = `mutation AttachLink($issueId: String!, $url: String!, $title: String) {
  attachmentLinkURL(issueId: $issueId, url: $url, title: $title) { success attachment { id url title } }
}`;

export const PROJECT_UPDATE = `mutation ProjectUpdate($id: String!, $input: ProjectUpdateInput!) {
  projectUpdate(id: $id, input: $input) { success project { ${PROJECT} } }
}`;

export const PROJECTS = `query Projects($includeArchived: Boolean, $first: Int!, $after: String) {
  projects(includeArchived: $includeArchived, first: $first, after: $after) { nodes { ${PROJECT} } ${PAGE_INFO} }
}`;

export const TEAM_PROJECTS = `query TeamProjects($teamId: String!, $includeArchived: Boolean, $first: Int!, $after: String) {
  team(id: $teamId) {
    projects(includeArchived: $includeArchived, first: $first, after: $after) { nodes { ${PROJECT} } ${PAGE_INFO} }
  }
}`;

export const TEAMS = `query Teams($first: Int!, $after: String) {
  teams(first: $first, after: $after) { nodes { id key name } ${PAGE_INFO} }
}`;

export const STATES = `query States($teamId: String!, $first: Int!, $after: String) {
  team(id: $teamId) { states(first: $first, after: $after) { nodes { id name } ${PAGE_INFO} } }
}`;

export const LABELS = `query Labels($first: Int!, $after: String) {
  issueLabels(first: $first, after: $after) { nodes { id name isGroup team { id } } ${PAGE_INFO} }
}`;

export const USERS = `query Users($first: Int!, $after: String) {
  users(first: $first, after: $after) { nodes { id name email active } ${PAGE_INFO} }
}`;

export const MEMBERS = `query Members($teamId: String!, $first: Int!, $after: String) {
  team(id: $teamId) { members(first: $first, after: $after) { nodes { id name email active } ${PAGE_INFO} } }
}`;

export const VIEWER = 'query Viewer { viewer { id } }';

export const WEBHOOKS = `query Webhooks($first: Int!, $after: String) {
  webhooks(first: $first, after: $after) { nodes { id url } ${PAGE_INFO} }
}`;

export const WEBHOOK_CREATE = `mutation WebhookCreate($input: WebhookCreateInput!) {
  webhookCreate(input: $input) { success webhook { id } }
}`;

export const WEBHOOK_DELETE = `mutation WebhookDelete($id: String!) {
  webhookDelete(id: $id) { success }
}`;
