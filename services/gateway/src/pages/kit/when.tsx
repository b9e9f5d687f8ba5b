import { type VNode } from 'preact';
import { type Words } from '../words/en.js';

interface Props {
  at: string;
  words: Words;
  /** Returns a phrase that contains the time, such as `expires in 5 minutes`. */
  phrase?: (when: string) => string;
}

/** Shows a time relative to now, such as `in 5 minutes`. Its title contains the date and the time. */
export function When({ at, words, phrase = (when) => when }: Props): VNode {
  return (
    <time dateTime={at} title={dated(at, words)}>
      {phrase(relative(at, words))}
    </time>
  );
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Times that are further away are shown as dates. */
const MAX_DAYS = 30;

/** Returns the distance of a time from now in the largest unit that is not zero. */
export function relative(at: string, { language }: Words, now = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const size = Math.abs(seconds);
  if (size > MAX_DAYS * DAY)
    return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (size < MINUTE)
    return seconds > 0
      ? format.format(1, 'minute')
      : new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
  if (size < HOUR) return format.format(Math.trunc(seconds / MINUTE), 'minute');
  return size < DAY
    ? format.format(Math.trunc(seconds / HOUR), 'hour')
    : format.format(Math.trunc(seconds / DAY), 'day');
}

/** Formats a time for people, in UTC. */
export function dated(at: string, { language }: Words): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(at))} UTC`;
}
