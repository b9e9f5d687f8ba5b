import { readFileSync } from 'node:fs';
import { InputError, type JsonObject, type Props } from '@drawbridge/piece-kit';
import { Ajv } from 'ajv';
import { checkRequest } from '../../testing/check-request.js';
import { json, runPiece, type Setting } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by, type Calls, itIsAccepted } from '../../testing/witness.js';
import { createIssue } from './actions/create-issue.js';
import { getFile } from './actions/get-file.js';
import { github } from './index.js';

const description = JSON.parse(readFileSync(new URL('./github.fixture.json', import.meta.url), 'utf8'));
const credential = { type: 'OAUTH2', accessToken: 'gho_canary', tokenType: 'bearer' } as const;

const run = (name: string, input: JsonObject, reply?: Setting['reply']) =>
  runPiece({ piece: github, credential, reply }, name, input);
const repo = 'octocat/hello.world';
const issue = { title: 'Broken', body: 'Text', labels: ['bug'], assignees: ['octocat'], milestone: 1 };
const issueJson = '{"title":"Broken","body":"Text","labels":["bug"],"assignees":["octocat"],"milestone":1';
const many = { per_page: 100, page: 2 };
const AT = '/repos/octocat/hello.world';
const SHA = '95b966ae1c166bd92f8ae7d1c313e738c731dfc3';
const text = { repo, path: 'dir/read me.txt', message: 'Say it', content: 'hä' };

const calls: Calls = {
  create_issue: [
    [{ repo, title: 'Broken' }, `POST ${AT}/issues {"title":"Broken"}`],
    [{ repo, ...issue }, `POST ${AT}/issues ${issueJson}}`],
  ],
  comment: [[{ repo, issue_number: 7, body: 'Me too' }, `POST ${AT}/issues/7/comments {"body":"Me too"}`]],
  update_issue: [
    [{ repo, issue_number: 7 }, `PATCH ${AT}/issues/7 {}`],
    [
      { repo, issue_number: 7, state: 'closed', state_reason: 'completed', ...issue },
      `PATCH ${AT}/issues/7 ${issueJson},"state":"closed","state_reason":"completed"}`,
    ],
  ],
  create_pr: [
    [
      { repo, title: 'Mend', head: 'o:fix', base: 'main' },
      `POST ${AT}/pulls {"title":"Mend","head":"o:fix","base":"main"}`,
    ],
    [
      {
        repo,
        title: 'Mend',
        head: 'fix',
        base: 'main',
        body: 'Text',
        draft: true,
        maintainer_can_modify: false,
        raw: true,
      },
      `POST ${AT}/pulls {"title":"Mend","head":"fix","base":"main","body":"Text","draft":true,"maintainer_can_modify":false}`,
    ],
  ],
  search_issues: [
    [{ q: 'crash is:open' }, 'GET /search/issues?q=crash+is%3Aopen'],
    [
      { q: 'a', sort: 'created', order: 'asc', ...many, raw: false },
      'GET /search/issues?q=a&sort=created&order=asc&per_page=100&page=2',
    ],
  ],
  get_file: [
    [{ repo, path: 'a' }, `GET ${AT}/contents/a`],
    [{ repo, path: 'dir/read me.txt', ref: 'main' }, `GET ${AT}/contents/dir/read%20me.txt?ref=main`],
  ],
  put_file: [
    [text, `PUT ${AT}/contents/dir/read%20me.txt {"message":"Say it","content":"aMOk"}`],
    [
      { ...text, content: '/wA=', encoding: 'base64', branch: 'main', sha: SHA },
      `PUT ${AT}/contents/dir/read%20me.txt {"message":"Say it","content":"/wA=","branch":"main","sha":"${SHA}"}`,
    ],
  ],
  list_commits: [
    [{ repo }, `GET ${AT}/commits`],
    [
      {
        ...{ repo, sha: 'main', path: 'src/a b', author: 'octocat', ...many },
        ...{ since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z', raw: false },
      },
      `GET ${AT}/commits?sha=main&path=src%2Fa+b&author=octocat` +
        '&since=2026-01-01T00%3A00%3A00Z&until=2026-02-01T00%3A00%3A00Z&per_page=100&page=2',
    ],
  ],
  get_issue: [
    [{ repo, issue_number: 7 }, `GET ${AT}/issues/7`],
    [
      { repo, issue_number: 7, with_comments: true, raw: true },
      `GET ${AT}/issues/7`,
      `GET ${AT}/issues/7/comments?per_page=100`,
    ],
  ],
  list_issues: [
    [{ repo }, `GET ${AT}/issues`],
    [
      {
        ...{ repo, state: 'all', assignee: '*', creator: 'octocat', mentioned: 'hubot', milestone: '1' },
        ...{ since: '2026-01-01T00:00:00Z', sort: 'updated', direction: 'asc', ...many },
        ...{ labels: ['bug', 'help wanted'], pull_requests: true, raw: true },
      },
      `GET ${AT}/issues?state=all&assignee=*&creator=octocat&mentioned=hubot&milestone=1` +
        '&since=2026-01-01T00%3A00%3A00Z&sort=updated&direction=asc&per_page=100&page=2&labels=bug%2Chelp+wanted',
    ],
  ],
  get_pull_request: [
    [{ repo, pull_number: 7 }, `GET ${AT}/pulls/7`, `GET ${AT}/pulls/7`],
    [{ repo, pull_number: 7, diff_limit: 0, raw: true }, `GET ${AT}/pulls/7`],
  ],
  list_pull_requests: [
    [{ repo }, `GET ${AT}/pulls`],
    [
      { repo, state: 'open', head: 'o:fix', base: 'main', sort: 'long-running', direction: 'desc', ...many, raw: true },
      `GET ${AT}/pulls?state=open&head=o%3Afix&base=main&sort=long-running&direction=desc&per_page=100&page=2`,
    ],
  ],
  merge_pull_request: [
    [{ repo, pull_number: 7 }, `PUT ${AT}/pulls/7/merge {}`],
    [
      { repo, pull_number: 7, merge_method: 'squash', commit_title: 'Mend', commit_message: 'Text', sha: SHA },
      `PUT ${AT}/pulls/7/merge {"merge_method":"squash","commit_title":"Mend","commit_message":"Text","sha":"${SHA}"}`,
    ],
  ],
  review_pull_request: [
    [{ repo, pull_number: 7, event: 'APPROVE' }, `POST ${AT}/pulls/7/reviews {"event":"APPROVE"}`],
    [
      {
        ...{ repo, pull_number: 7, event: 'REQUEST_CHANGES', body: 'Text', commit_id: SHA, raw: true },
        comments: [{ path: 'a', body: 'Why?', line: 9, side: 'RIGHT', start_line: 8, start_side: 'LEFT' }],
      },
      `POST ${AT}/pulls/7/reviews {"event":"REQUEST_CHANGES","body":"Text","commit_id":"${SHA}",` +
        '"comments":[{"path":"a","body":"Why?","line":9,"side":"RIGHT","start_line":8,"start_side":"LEFT"}]}',
    ],
  ],
  list_repositories: [
    [{}, 'GET /user/repos'],
    [
      {
        ...{ visibility: 'private', sort: 'pushed', direction: 'desc', ...many, raw: true },
        affiliation: ['owner', 'collaborator', 'organization_member'],
      },
      'GET /user/repos?visibility=private&sort=pushed&direction=desc&per_page=100&page=2' +
        '&affiliation=owner%2Ccollaborator%2Corganization_member',
    ],
  ],
  search_code: [
    [{ q: 'parseUrl' }, 'GET /search/code?q=parseUrl'],
    [{ q: 'a', ...many, raw: true }, 'GET /search/code?q=a&per_page=100&page=2'],
  ],
  create_branch: [
    [
      { repo, name: 'fix/login' },
      `GET ${AT}`,
      `GET ${AT}/commits/release/1`,
      `POST ${AT}/git/refs {"ref":"refs/heads/fix/login","sha":"${SHA}"}`,
    ],
    [
      { repo, name: 'fix', from: 'v1.0' },
      `GET ${AT}/commits/v1.0`,
      `POST ${AT}/git/refs {"ref":"refs/heads/fix","sha":"${SHA}"}`,
    ],
  ],
  create_release: [
    [{ repo, tag_name: 'v1' }, `POST ${AT}/releases {"tag_name":"v1"}`],
    [
      {
        ...{ repo, tag_name: 'v1', target_commitish: 'main', name: 'One', body: 'Text', generate_release_notes: true },
        ...{ draft: true, prerelease: false, make_latest: 'legacy', raw: true },
      },
      `POST ${AT}/releases {"tag_name":"v1","target_commitish":"main","name":"One","body":"Text",` +
        '"generate_release_notes":true,"draft":true,"prerelease":false,"make_latest":"legacy"}',
    ],
  ],
  run_workflow: [
    [
      { repo, workflow_id: 'ci.yml', ref: 'main' },
      `POST ${AT}/actions/workflows/ci.yml/dispatches {"ref":"main","return_run_details":true}`,
    ],
    [
      { repo, workflow_id: 'deploy.yaml', ref: 'v1', inputs: { level: 'debug' } },
      `POST ${AT}/actions/workflows/deploy.yaml/dispatches {"ref":"v1","inputs":{"level":"debug"},"return_run_details":true}`,
    ],
  ],
};

const isFile = { type: 'file', encoding: 'base64', content: '' };
const reply = ({ url }: Recorded): Reply => {
  if (url.includes('/commits/')) return { headers: {}, body: SHA };
  return json(url.includes('/contents/') ? isFile : url === AT ? { default_branch: 'release/1' } : {});
};
itIsAccepted({ piece: github, credential, reply }, by(description), calls);

it('detects a misspelt key in a body or a query', async () => {
  const [issue, search] = [await run('create_issue', { repo, title: 't' }), await run('search_issues', { q: 'a' })];
  for (const sent of [issue.received[0], search.received[0]].filter((request) => request !== undefined)) {
    const misspelt = { ...sent, url: sent.url.replace('?q=', '?query='), body: sent.body.replace('title', 'tittle') };
    expect(checkRequest(description, sent)).toEqual([]);
    expect(checkRequest(description, misspelt)).toHaveLength(2); // One key is unknown, and one is missing.
  }
});

it('authenticates and pins the API version', async () => {
  const { received } = await run('list_commits', { repo });
  expect(received[0]?.headers).toMatchObject({
    authorization: 'Bearer gho_canary',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  });
});

describe('get_file', () => {
  const entry = { type: 'file', encoding: 'base64', sha: 'abc', size: 3, content: 'aMOk\n' };
  const file = { repo, path: 'dir/read me.txt', ref: 'main' };

  it('reads a text as text and as a file', async () => {
    const { output, received } = await run('get_file', file, () => json(entry));
    expect(received.flatMap((request) => checkRequest(description, request))).toEqual([]);
    expect(received[0]?.url).toBe('/repos/octocat/hello.world/contents/dir/read%20me.txt?ref=main');
    expect(output).toEqual({
      path: 'dir/read me.txt',
      sha: 'abc',
      size: 3,
      text: 'hä',
      file: { filename: 'read me.txt', mimeType: 'text/plain', base64: 'aMOk' },
    });
  });

  it('reads a large binary file from the raw media type', async () => {
    const large = { ...entry, encoding: 'none', content: '' };
    const { output, received } = await run('get_file', file, ({ headers }) =>
      headers.accept?.includes('raw') ? { headers: {}, body: Uint8Array.of(0xff, 0) } : json(large),
    );
    expect(received.flatMap((request) => checkRequest(description, request))).toEqual([]);
    expect(output).toMatchObject({
      size: 2,
      text: null,
      file: { mimeType: 'application/octet-stream', base64: '/wA=' },
    });
  });

  it.each([
    ['a folder', [entry]],
    ['a submodule', { ...entry, type: 'submodule' }],
  ])('refuses %s', async (_, answer) => {
    await expect(run('get_file', file, () => json(answer))).rejects.toThrow(new InputError('path', 'is not a file'));
  });

  it.each(['../../user', 'a/../../x', './a', 'a/.', 'a//b'])('sends nothing for the path %s', async (path) => {
    await expect(run('get_file', { repo, path })).rejects.toThrow(InputError);
  });
});

it.each<[string, Props, string[], string[]]>([
  [
    'repo',
    createIssue.props,
    ['o/r', 'o-1/.github', 'a_b/r.js'],
    ['o', 'o/', '/r', 'o/..', 'o/.', 'o/r/s', '../r', 'o/r?x'],
  ],
  ['path', getFile.props, ['a', '.github/x.yml', 'a/b...c'], ['', '/a', 'a/', 'a//b', '..', 'a/../b', './a', 'a/.']],
])('validates %s against the schema before sending', (key, props, good, bad) => {
  const accepts = new Ajv().compile(props[key]?.schema ?? false);
  expect(good.filter((value) => !accepts(value))).toEqual([]);
  expect(bad.filter((value) => accepts(value))).toEqual([]);
});

it('returns a list of commits as items', async () => {
  expect((await run('list_commits', { repo }, () => json([{ sha: 'a' }]))).output).toEqual({ items: [{ sha: 'a' }] });
});

it("fails with GitHub's own message, field and code", async () => {
  const body = JSON.stringify({ message: 'Validation Failed', errors: [{ field: 'title', code: 'missing_field' }] });
  const refused = run('create_issue', { repo, title: 'x' }, () => ({ ...json({}), status: 422, body }));
  await expect(refused).rejects.toMatchObject({
    name: 'ProviderError',
    status: 422,
    code: 'missing_field',
    message: 'Validation Failed: title missing_field',
    retryable: false,
  });
});
