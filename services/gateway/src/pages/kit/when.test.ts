import { de } from '../words/de.js';
import { en } from '../words/en.js';
import { dated, relative } from './when.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');

it.each([
  ['2026-11-27T12:00:20Z', 'in 1 minute', 'in 1 Minute'],
  ['2026-11-27T12:59:30Z', 'in 59 minutes', 'in 59 Minuten'],
  ['2026-11-27T14:00:00Z', 'in 2 hours', 'in 2 Stunden'],
  ['2026-11-27T11:59:50Z', 'now', 'jetzt'],
  ['2026-11-27T11:00:00Z', '1 hour ago', 'vor 1 Stunde'],
  ['2026-11-24T11:00:00Z', '3 days ago', 'vor 3 Tagen'],
  ['2026-01-02T11:00:00Z', 'January 2, 2026', '2. Januar 2026'],
])('puts %s relative to now', (at, english, german) => {
  expect(relative(at, en, NOW)).toBe(english);
  expect(relative(at, de, NOW)).toBe(german);
});

it('has the date and the time in UTC for the title', () => {
  expect(dated('2026-11-27T12:00:20Z', en)).toMatch(/^November 27, 2026 at 12:00.PM UTC$/);
});
