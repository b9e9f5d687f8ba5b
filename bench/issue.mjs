// An issue in the format of GitHub's REST API, 1.6 kB.
const REPOSITORY = 'https://api.github.com/repos/acme/app';

const owner = {
  login: 'octocat',
  id: 583231,
  node_id: 'MDQ6VXNlcjU4MzIzMQ==',
  avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
  url: 'https://api.github.com/users/octocat',
  html_url: 'https://github.com/octocat',
  type: 'User',
  site_admin: false,
};

export function toIssue(number, { title, body = null }, time = new Date()) {
  const now = time.toISOString();
  return {
    id: 2_000_000_000 + number,
    node_id: `I_kwDOABCD${number}`,
    number,
    url: `${REPOSITORY}/issues/${number}`,
    repository_url: REPOSITORY,
    comments_url: `${REPOSITORY}/issues/${number}/comments`,
    html_url: `https://github.com/acme/app/issues/${number}`,
    state: 'open',
    state_reason: null,
    title,
    body,
    user: owner,
    labels: [],
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    comments: 0,
    created_at: now,
    updated_at: now,
    closed_at: null,
    author_association: 'OWNER',
    reactions: { url: `${REPOSITORY}/issues/${number}/reactions`, total_count: 0, '+1': 0, '-1': 0, laugh: 0 },
  };
}

export function toComment(id, { body }, time = new Date()) {
  const now = time.toISOString();
  return {
    id: 3_000_000_000 + id,
    node_id: `IC_kwDOABCD${id}`,
    url: `${REPOSITORY}/issues/comments/${3_000_000_000 + id}`,
    html_url: `https://github.com/acme/app/issues/1#issuecomment-${3_000_000_000 + id}`,
    user: owner,
    body,
    created_at: now,
    updated_at: now,
    author_association: 'OWNER',
  };
}
