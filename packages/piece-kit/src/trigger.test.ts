import { firstThatFit } from './new-since.js';

const MIB = 1024 * 1024;
const toEvent = (bytes: number, index: number) =>
  bytes === 0 ? undefined : { id: `${index}`, data: { text: 'x'.repeat(bytes) } };

it.each<[string, number[], { events: string[]; read: number }]>([
  ['nothing', [], { events: [], read: 0 }],
  ['what fits', [1, 1], { events: ['0', '1'], read: 2 }],
  ['no more than fits', [3 * MIB, 2 * MIB, 1], { events: ['0'], read: 1 }],
  ['one that is too large by itself, alone', [5 * MIB, 1], { events: ['0'], read: 1 }],
  ['what is no event as read, up to where it is cut', [0, 3 * MIB, 0, 2 * MIB, 0], { events: ['1'], read: 3 }],
  ['what is no event as read', [0, 0], { events: [], read: 2 }],
])('takes %s', (_, items, expected) => {
  const { events, read } = firstThatFit(items, toEvent);
  expect({ events: events.map(({ id }) => id), read: read.length }).toEqual(expected);
});

it('counts bytes, not characters', () => {
  const items = Array.from({ length: 3 }, () => 'é'.repeat(MIB));
  expect(firstThatFit(items, (text, index) => ({ id: `${index}`, data: { text } })).read).toHaveLength(1);
});
