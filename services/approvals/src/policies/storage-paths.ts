import { posix } from 'node:path';
import { type JsonObject } from '@drawbridge/piece-kit';
import { textsOf } from './texts.js';

interface StoragePath {
  form: string;
  path: string;
}

/** Every text of an input, as it stands and as a file system reads it, without its root: whatever it is called, it may be a path. */
export function storagePathsOf(input: JsonObject): StoragePath[] {
  return textsOf(input).flatMap(({ text, path }) => formsOf(text).map((form) => ({ form, path })));
}

function formsOf(text: string): string[] {
  const slashed = text.replaceAll('\\', '/');
  if (!slashed.includes('/')) return [text];
  return [...new Set([withoutRoot(slashed), withoutRoot(posix.normalize(slashed))])];
}

/** `/prod/`, `./prod/` and `prod/` are one place. */
export function withoutRoot(path: string): string {
  return path.replace(/^[./]*\//, '');
}
