import { fromIdCursor, toIdCursor } from './bounded-scan.js';

const ID = '0199a7c2-3f5e-7abc-8def-0123456789ab';

it('converts an id to a cursor and back', () => {
  expect(fromIdCursor(toIdCursor(ID))).toBe(ID);
});

// Ids are compared as text. An id in upper case sorts before all others, so the list would start again.
it.each(['', 'x', ID, toIdCursor('x'), toIdCursor(ID.toUpperCase())])('refuses %p', (cursor) => {
  expect(() => fromIdCursor(cursor)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});
