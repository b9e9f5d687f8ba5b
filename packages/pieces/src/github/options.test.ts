import { readFileSync } from 'node:fs';
import type { JsonObject } from '@drawbridge/piece-kit';
import { checkRequest } from '../../testing/check-request.js';
import { json, optionsOf } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { github } from './index.js';

const description = JSON.parse(readFileSync(new URL('./github.fixture.json', import.meta.url), 'utf8'));
const repo = 'octocat/hello-world';

/** Responds with pages of two items. Each page except the last has a Link header in GitHub's format. */
function paged(items: object[]) {
  return ({ url }: Recorded): Reply => {
    const asked = new URL(url, 'https://api.github.com');
    const page = Number(asked.searchParams.get('page') ?? 1);
    asked.searchParams.set('page', String(page + 1));
    const link = `<https://api.github.com/user/1>; rel="first", <${asked.href}>; rel="next"`;
    return json(items.slice(page * 2 - 2, page * 2), 200, page * 2 < items.length ? { link } : {});
  };
}

const named = (key: string, ...names: string[]): object[] => names.map((name, id) => ({ id, [key]: name }));
const shown = (...names: string[]) => ({
  options: names.map((name) => ({ label: name, value: name })),
  disabled: false,
});

it.each([
  ['create_issue.repo', {}, 'full_name', '/user/repos?sort=pushed&per_page=100'],
  ['create_issue.labels', { repo }, 'name', `/repos/${repo}/labels?per_page=100`],
  ['update_issue.assignees', { repo }, 'login', `/repos/${repo}/assignees?per_page=100`],
  ['create_pr.head', { repo }, 'name', `/repos/${repo}/branches?per_page=100`],
  ['create_pr.base', { repo }, 'name', `/repos/${repo}/branches?per_page=100`],
  ['get_file.ref', { repo }, 'name', `/repos/${repo}/branches?per_page=100`],
  ['put_file.branch', { repo }, 'name', `/repos/${repo}/branches?per_page=100`],
  ['create_branch.from', { repo }, 'name', `/repos/${repo}/branches?per_page=100`],
  ['list_issues.labels', { repo }, 'name', `/repos/${repo}/labels?per_page=100`],
  ['list_commits.sha', { repo }, 'name', `/repos/${repo}/branches?per_page=100`],
])('offers the items of all pages for %s', async (select, input, key, first) => {
  const [action = '', property = ''] = select.split('.');
  const reply = paged(named(key, 'o/a', 'o/b', 'o/c'));
  const { output, received } = await optionsOf({ piece: github, reply }, [action, property], input);
  expect(output).toEqual(shown('o/a', 'o/b', 'o/c'));
  expect(received.map(({ url }) => url)).toEqual([first, `${first}&page=2`]);
  expect(received.flatMap((request) => checkRequest(description, request))).toEqual([]);
});

it('offers the workflows of a repository by name', async () => {
  const reply = () => json({ total_count: 1, workflows: [{ id: 7, name: 'Build', path: '.github/workflows/ci.yml' }] });
  const { output, asked, received } = await optionsOf({ piece: github, reply }, ['run_workflow', 'workflow_id'], {
    repo,
  });
  expect(output).toEqual({ options: [{ label: 'Build', value: '7' }], disabled: false });
  expect(asked).toEqual([`GET /repos/${repo}/actions/workflows?per_page=100`]);
  expect(received.flatMap((request) => checkRequest(description, request))).toEqual([]);
  const none = await optionsOf({ piece: github }, ['run_workflow', 'workflow_id'], { repo: '../user' });
  expect(none).toMatchObject({ output: { options: [], disabled: true }, received: [] });
});

it.each<JsonObject>([{}, { repo: 7 }, { repo: '../user' }, { repo: 'o/r/issues' }])(
  'sends no request for labels with the input %j',
  async (input) => {
    const { output, received } = await optionsOf({ piece: github }, ['create_issue', 'labels'], input);
    expect(output).toEqual({ options: [], disabled: true });
    expect(received).toEqual([]);
  },
);

it('searches on all pages', async () => {
  const reply = paged(named('full_name', 'o/a', 'o/b', 'o/lost'));
  const { output } = await optionsOf({ piece: github, reply }, ['create_issue', 'repo'], {}, 'LOST');
  expect(output).toEqual(shown('o/lost'));
});

it('stops sending requests if GitHub asks to retry much later', async () => {
  const reply = (): Reply => json({ message: 'API rate limit exceeded' }, 429, { 'retry-after': '60' });
  const asked = optionsOf({ piece: github, reply }, ['create_issue', 'repo']);
  await expect(asked).rejects.toMatchObject({ name: 'ProviderError', status: 429, retryAfter: 60 });
});
