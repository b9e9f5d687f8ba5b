import { readAllowList } from './allow-list.js';

/** Parses EGRESS_ALLOW, a comma-separated list. Throws an Error that names the first invalid entry. */
export function parseAllowList(text: string): string[] {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  readAllowList(entries);
  return entries;
}
