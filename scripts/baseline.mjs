import { execFileSync } from 'node:child_process';
import { ROOT } from './step.mjs';

/**
 * The committed version of `path` that its readers may rely on: of the last release (tag v*); before the first one, of
 * where this branch left main; on main itself, the last that differs from what is there now. A later commit that says
 * it breaks, by the mark of conventional commits (`feat(gateway)!: …`), is a new start.
 * Answers {commit}, or {missing} with the reason why there is none.
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

/** Those that touched `path`, newest first. */
function commits(git, range, path) {
  const lines = git('log', '--format=%H %s', range, '--', path)?.split('\n').filter(Boolean) ?? [];
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

/** Runs git; answers what it prints, or nothing where it fails. */
function gitIn(root) {
  return (...args) => {
    try {
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return undefined;
    }
  };
}
