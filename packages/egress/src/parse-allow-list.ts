import { readAllowList } from './allow-list.js';

/** EGRESS_ALLOW as operators write it: a comma list. Throws an Error that names the first entry it can't read. */
export function parseAllowList(text: string): string[] {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  readAllowList(entries);
  return entries;
}
