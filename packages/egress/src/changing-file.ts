import { readFileSync, statSync } from 'node:fs';

/** What `parse` makes of a small file of the system, read again when it changed; of an absent or unreadable one, of ''. */
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
