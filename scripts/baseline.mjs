import { execFileSync } from 'node:child_process';
import { ROOT } from './step.mjs';

/**
 * Returns {commit} with the version of `path` on which clients rely, or {missing} with the reason why there is none. The version is the last release
 * (tag v*). Before the first release, it is the commit at which this branch left main. On main itself, it is the last commit that differs from the
 * working tree. A later commit that is marked as breaking (`feat(gateway)!: …`) becomes the new baseline.
 */
export function baseline(path, root = ROOT) {
  const git = gitIn(root);
  if (git('rev-parse', '--verify', 'HEAD') === undefined) return { missing: 'this is no git clone with a commit' };
  const start = lastRelease(git) ?? branchPoint(git) ?? previous(git, path);
  if (start && !has(git, start, path)) return { missing: `${path} is new since ${start}` };
  if (start) return { commit: lastBreak(git, start, path) ?? start };
  const shallow = git('rev-parse', '--is-shallow-repository') === 'true';
  if (shallow) return { missing: 'this clone is shallow; with `git fetch --unshallow --tags` there is one' };
  return { missing: `${path} has one version only` };
}

function lastRelease(git) {
  return git('describe', '--tags', '--abbrev=0', '--match', 'v*');
}

function branchPoint(git) {
  const head = git('rev-parse', 'HEAD');
  const points = ['origin/main', 'main'].map((main) => git('merge-base', main, 'HEAD'));
  return points.find((point) => point && point !== head);
}

function previous(git, path) {
  return commits(git, 'HEAD', path).find(({ id }) => isDifferent(git, id, path))?.id;
}

function isDifferent(git, id, path) {
  return has(git, id, path) && git('diff', '--quiet', id, '--', path) === undefined;
}

function has(git, id, path) {
  return git('rev-parse', '--verify', '--quiet', `${id}:${path}`) !== undefined;
}

function lastBreak(git, start, path) {
  return commits(git, `${start}..HEAD`, path).find(({ subject }) => /^\w+(\([^)]*\))?!:/.test(subject))?.id;
}

/** Returns the commits that changed `path`, newest first. */
function commits(git, range, path) {
  const lines = git('log', '--format=%H %s', range, '--', path)?.split('\n').filter(Boolean) ?? [];
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

/** Returns a function that runs git and returns its output, or undefined if git fails. */
function gitIn(root) {
  return (...args) => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return undefined;
    }
  };
}
