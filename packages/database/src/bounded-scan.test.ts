import { fromIdCursor, toIdCursor } from './bounded-scan.js';

const ID = '0199a7c2-3f5e-7abc-8def-0123456789ab';

it('converts an id to a cursor and back', () => {
  expect(fromIdCursor(toIdCursor(ID))).toBe(ID);
});

// Compared as text, an id in capitals sorts before all others: the list would start over.
it.each(['', 'x', ID, toIdCursor('x'), toIdCursor(ID.toUpperCase())])('refuses %p', (cursor) => {
  expect(() => fromIdCursor(cursor)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});
