import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { baseline } from './baseline.mjs';

let root;
let clone;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'drawbridge-baseline-'));
  clone = mkdtempSync(join(tmpdir(), 'drawbridge-baseline-'));
  git('init', '-q', '-b', 'main');
});
afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(clone, { recursive: true });
});

function git(...args) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Writes and commits the file. Returns the commit id. */
function commit(content, subject = 'feat: change', file = 'api') {
  writeFileSync(join(root, file), content);
  git('add', file);
  git('commit', '-q', '-m', subject);
  return git('rev-parse', 'HEAD');
}

it('compares what is not committed with what is', () => {
  commit('one');
  const two = commit('two');
  writeFileSync(join(root, 'api'), 'three');
  expect(baseline('api', root)).toEqual({ commit: two });
});

it('compares what is committed on main with the version before', () => {
  const one = commit('one');
  commit('two');
  commit('x', 'docs: something else', 'readme');
  expect(baseline('api', root)).toEqual({ commit: one });
});

it('compares a branch with where it left main', () => {
  commit('one');
  const two = commit('two');
  git('checkout', '-q', '-b', 'topic');
  commit('three');
  commit('four');
  expect(baseline('api', root)).toEqual({ commit: two });
});

it('compares with the last release once there is one', () => {
  commit('one');
  git('tag', 'v1.0.0');
  commit('two');
  commit('three');
  expect(baseline('api', root)).toEqual({ commit: 'v1.0.0' });
});

it('starts again at a commit that declares a breaking change', () => {
  commit('one');
  git('tag', 'v1.0.0');
  const two = commit('two', 'feat(gateway)!: rename a path');
  commit('three');
  expect(baseline('api', root)).toEqual({ commit: two });
});

it('has nothing to compare with for what is newer than the last release', () => {
  commit('x', 'docs: something else', 'readme');
  git('tag', 'v1.0.0');
  commit('one');
  expect(baseline('api', root)).toEqual({ missing: 'api is new since v1.0.0' });
});

it.each([
  ['there is no git', (where) => rmSync(join(where, '.git'), { recursive: true }), 'no git clone'],
  ['nothing is committed', () => {}, 'no git clone'],
  ['there is one version', () => commit('one'), 'one version only'],
])('says why there is none when %s', (_, prepare, reason) => {
  prepare(root);
  expect(baseline('api', root)).toEqual({ missing: expect.stringContaining(reason) });
});

it('says how to get one in a shallow clone', () => {
  commit('one');
  commit('two');
  git('clone', '-q', '--depth', '1', pathToFileURL(root).href, clone);
  expect(baseline('api', clone)).toEqual({ missing: expect.stringContaining('git fetch --unshallow') });
});
