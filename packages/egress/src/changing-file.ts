import { readFileSync, statSync } from 'node:fs';

/** Returns a function that parses a small system file and reads it again after a change. A missing or unreadable file counts as ''. */
export function changingFile<T>(path: string, parse: (text: string) => T): () => T {
  let seen = '';
  let value = parse('');
  return () => {
    const version = versionOf(path);
    if (version !== seen) {
      seen = version;
      value = parse(textOf(path));
    }
    return value;
  };
}

function versionOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
