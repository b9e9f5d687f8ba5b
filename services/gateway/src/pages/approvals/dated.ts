import { type Words } from '../words/en.js';

/** Formats a time for people, in UTC. */
export function dated(at: string, { language }: Words): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(at))} UTC`;
}
