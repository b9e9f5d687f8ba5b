// The provider: a local HTTP service that answers like GitHub when an issue is created. It never answers requests to acme/hangs.
import { createServer } from 'node:http';

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

let number = 0;

const server = createServer((request, response) => {
  if (request.url.startsWith('/repos/acme/hangs/')) return;
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = JSON.stringify(toIssue(JSON.parse(Buffer.concat(chunks).toString())));
    const length = Buffer.byteLength(answer);
    response.writeHead(201, { 'content-type': 'application/json; charset=utf-8', 'content-length': length });
    response.end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));

function toIssue({ title, body = null }) {
  number++;
  const now = new Date().toISOString();
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
