import type { JsonObject } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece, type Setting } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { type Fields } from '../pick-fields.js';
import * as fields from './fields.js';
import { github } from './index.js';

const description = readDescription('github');
const check = by(description);
const R = '/repos/{owner}/{repo}';
const repo = 'octocat/hello-world';
const SHA = '95b966ae1c166bd92f8ae7d1c313e738c731dfc3';

const run = async (name: string, input: JsonObject, reply: Setting['reply']) => {
  const ran = await runPiece({ piece: github, reply }, name, input);
  expect(ran.received.flatMap(check)).toEqual([]);
  return ran;
};
const paths = (of: Fields, prefix = ''): string[] => Object.values(of).map((path) => prefix + path);
const TOTALS = ['total_count', 'incomplete_results'];

it.each<[string, string[]]>([
  [`GET ${R}`, ['default_branch']],
  [`GET ${R}/issues/{issue_number}`, paths(fields.ISSUE)],
  [`GET ${R}/issues/{issue_number}/comments`, paths(fields.COMMENT, '*.')],
  [`GET ${R}/issues`, [...paths(fields.ISSUE_ITEM, '*.'), '*.pull_request']],
  ['GET /search/issues', [...TOTALS, ...paths(fields.ISSUE_ITEM, 'items.*.')]],
  [`GET ${R}/pulls/{pull_number}`, paths(fields.PULL_REQUEST)],
  [`POST ${R}/pulls`, paths(fields.PULL_REQUEST)],
  [`GET ${R}/pulls`, paths(fields.PULL_REQUEST_ITEM, '*.')],
  [`POST ${R}/pulls/{pull_number}/reviews`, paths(fields.REVIEW)],
  ['GET /user/repos', paths(fields.REPOSITORY, '*.')],
  ['GET /search/code', [...TOTALS, ...paths(fields.CODE, 'items.*.')]],
  [`GET ${R}/commits`, paths(fields.COMMIT, '*.')],
  [`POST ${R}/releases`, paths(fields.RELEASE)],
  [`GET ${R}/actions/workflows`, ['workflows.*.id', 'workflows.*.name']],
])('reads fields that the description of %s has', (operation, read) =>
  expect(description.operations[operation]?.answer).toEqual(read),
);

const user = { login: 'ann', id: 1, url: 'https://api.github.com/users/ann' };
const issue = {
  ...{ id: 9, number: 7, title: 'Broken', state: 'open', user, body: 'Text', comments: 1, milestone: null },
  ...{ labels: [{ id: 1, name: 'bug' }], assignees: [user], node_id: 'x' },
};
const shortIssue = {
  ...{ number: 7, title: 'Broken', state: 'open', author: 'ann', labels: ['bug'], assignees: ['ann'], comments: 1 },
};
const pull = { ...issue, head: { ref: 'fix', sha: SHA, repo: {} }, base: { ref: 'main' }, merged: false };

describe('a short answer', () => {
  it('has the fields of an issue that people need, or on request all', async () => {
    const at = { repo, issue_number: 7 };
    expect((await run('get_issue', at, () => json(issue))).output).toEqual({ ...shortIssue, body: 'Text' });
    expect((await run('get_issue', { ...at, raw: true }, () => json(issue))).output).toEqual(issue);
  });

  it('has the comments of an issue', async () => {
    const comment = {
      id: 5,
      user,
      body: 'Why?',
      created_at: '2026-01-01T00:00:00Z',
      html_url: 'https://x',
      node_id: 'x',
    };
    const reply = ({ url }: Recorded): Reply => json(url.includes('/comments') ? [comment] : issue);
    const { output } = await run('get_issue', { repo, issue_number: 7, with_comments: true }, reply);
    const { user: _user, node_id: _node, ...rest } = comment;
    expect(output).toEqual({ ...shortIssue, body: 'Text', comment_list: [{ ...rest, author: 'ann' }] });
  });

  it('has the fields of a list', async () => {
    expect((await run('list_pull_requests', { repo }, () => json([pull]))).output).toMatchObject({
      items: [{ number: 7, head: 'fix', head_sha: SHA, base: 'main' }],
      next_page: null,
    });
    const commit = { sha: SHA, commit: { message: 'Mend', author: { name: 'Ann' } }, author: null };
    const commits = await run('list_commits', { repo, raw: false }, () => json([commit]));
    expect(commits.output).toEqual({ items: [{ sha: SHA, message: 'Mend', author: 'Ann' }], next_page: null });
    const found = { total_count: 1, incomplete_results: false, items: [issue] };
    const searched = await run('search_issues', { q: 'a', raw: false }, () => json(found));
    expect(searched.output).toEqual({ ...found, items: [shortIssue], next_page: null });
    expect((await run('search_issues', { q: 'a' }, () => json(found))).output).toEqual(found);
  });

  it('has the lines that a search of code found', async () => {
    const file = { path: 'a.ts', sha: SHA, repository: { full_name: repo }, text_matches: [{ fragment: 'let a;' }] };
    const reply = () => json({ total_count: 1, items: [file] });
    const { output, received } = await run('search_code', { q: 'a' }, reply);
    expect(received[0]?.headers.accept).toBe('application/vnd.github.text-match+json');
    expect(output.items).toEqual([{ repository: repo, path: 'a.ts', sha: SHA, fragments: ['let a;'] }]);
  });

  it.each<[string, JsonObject, object, JsonObject]>([
    ['create_pr', { title: 'a', head: 'fix', base: 'main' }, pull, { number: 7, head: 'fix', merged: false }],
    [
      'review_pull_request',
      { pull_number: 7, event: 'APPROVE' },
      { id: 1, state: 'APPROVED', user },
      { author: 'ann' },
    ],
    ['create_release', { tag_name: 'v1' }, { id: 1, tag_name: 'v1', user }, { id: 1, tag_name: 'v1' }],
  ])('is that of %s', async (name, input, object, expected) => {
    const { output } = await run(name, { repo, ...input }, () => json(object));
    expect(output).toMatchObject(expected);
    expect(JSON.stringify(output)).not.toContain('"user"');
    expect((await run(name, { repo, ...input, raw: true }, () => json(object))).output).toEqual(object);
  });
});

describe('a page', () => {
  const link = `<https://api.github.com/repositories/1/issues?per_page=1&page=3>; rel="next"`;

  it('names the next page', async () => {
    const { output } = await run('list_repositories', {}, () => json([{ full_name: repo }], 200, { link }));
    expect(output).toEqual({ items: [{ full_name: repo }], next_page: 3 });
  });

  it('of issues has pull requests only on request', async () => {
    const reply = () => json([issue, { ...issue, number: 8, pull_request: {} }], 200, { link });
    const numbers = async (more: JsonObject) =>
      (await run('list_issues', { repo, ...more }, reply)).output.items as { number: number }[];
    expect((await numbers({})).map(({ number }) => number)).toEqual([7]);
    expect((await numbers({ pull_requests: true, raw: true })).map(({ number }) => number)).toEqual([7, 8]);
  });
});

describe('get_pull_request', () => {
  const at = { repo, pull_number: 7 };
  const withDiff =
    (reply: () => Reply) =>
    ({ headers }: Recorded): Reply =>
      headers.accept === 'application/vnd.github.diff' ? reply() : json(pull);
  const text = (): Reply => ({ headers: { 'content-type': 'application/vnd.github.diff' }, body: '+hä' });

  it('reads the diff, and cuts it', async () => {
    expect((await run('get_pull_request', at, withDiff(text))).output).toMatchObject({
      ...{ number: 7, base: 'main', diff: '+hä', diff_cut: false },
    });
    const { output } = await run('get_pull_request', { ...at, diff_limit: 2 }, withDiff(text));
    expect(output).toMatchObject({ diff: '+h', diff_cut: true });
  });

  it.each([406, 422])('has no diff if GitHub refuses it with %i because of its size', async (status) => {
    const errors = [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }];
    const refused = withDiff(() => json({ message: 'Sorry, the diff exceeded', errors }, status));
    expect((await run('get_pull_request', at, refused)).output).toMatchObject({
      number: 7,
      diff: null,
      diff_cut: false,
    });
  });

  it('fails if GitHub refuses the diff for another reason', async () => {
    const refused = withDiff(() => json({ message: 'Server Error' }, 500));
    await expect(run('get_pull_request', at, refused)).rejects.toMatchObject({ status: 500 });
  });
});

it('reads only the SHA of the commit that a new branch begins at', async () => {
  const reply = ({ headers }: Recorded): Reply =>
    headers.accept === 'application/vnd.github.sha' ? { headers: {}, body: SHA } : json({ ref: 'refs/heads/fix' }, 201);
  const { output } = await run('create_branch', { repo, name: 'fix', from: 'main' }, reply);
  expect(output).toEqual({ name: 'fix', ref: 'refs/heads/fix', sha: SHA });
  await expect(run('create_branch', { repo, name: 'fix' }, () => json({}))).rejects.toThrow('default branch');
});

describe('a rate limit', () => {
  const soon = () => String(Math.floor(Date.now() / 1000));
  const limits: [string, () => Record<string, string>][] = [
    ['Retry-After', () => ({ 'retry-after': '0' })],
    ['x-ratelimit-reset', () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': soon() })],
  ];

  it.each(limits)('with status 403 and %s is waited for', async (_, headers) => {
    let asked = 0;
    const reply = (): Reply => (asked++ === 0 ? json({ message: 'rate limit' }, 403, headers()) : json(issue));
    expect((await run('get_issue', { repo, issue_number: 7 }, reply)).output).toMatchObject({ number: 7 });
    expect(asked).toBe(2);
  });

  it('far away is returned to the caller', async () => {
    const reset = String(Math.floor(Date.now() / 1000) + 600);
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    const error = await run('get_issue', { repo, issue_number: 7 }, () => json({}, 403, headers)).catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({ status: 403, retryable: true });
    expect(error.retryAfter).toBeGreaterThan(590);
  });
});
