import { freeTimes } from './free-times.js';

const period = { start: '2026-01-31T09:00:00Z', end: '2026-01-31T10:00:00Z', slotMinutes: 15, durationMinutes: 30 };
const minutes = (views: string[], changes = {}): string[] =>
  freeTimes(views, { ...period, ...changes }).map(({ start, end }) => `${start.slice(11, 16)}-${end.slice(11, 16)}`);

it.each<[string[], string[]]>([
  [[], []],
  [['0000'], ['09:00-10:00']],
  [['2222'], []],
  [['0020'], ['09:00-09:30']],
  [['2004'], ['09:15-10:00']],
  [['0010', '0000'], ['09:00-09:30']],
  [['0003', '3000'], ['09:15-09:45']],
  [['0000', '00'], ['09:00-09:30']],
])('finds in %j %j', (views, expected) => expect(minutes(views)).toEqual(expected));

it('does not go beyond the end of the period, where the last slot is longer', () => {
  expect(minutes(['0000'], { end: '2026-01-31T09:50:00Z' })).toEqual(['09:00-09:50']);
});

it('finds short times if they are enough', () => {
  expect(minutes(['0202'], { durationMinutes: 15 })).toEqual(['09:00-09:15', '09:30-09:45']);
});
