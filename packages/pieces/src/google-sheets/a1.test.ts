import { rangeOf, rowOf, toIndex, toLetter } from './a1.js';
import { toColumns, toRow, toValues } from './columns.js';

describe('A1 notation', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('converts column %i to %s', (index, letter) => {
    expect([toLetter(index), toIndex(letter)]).toEqual([letter, index]);
  });

  it('quotes sheet names and reads row numbers', () => {
    expect([rangeOf("It's", 'A1'), rangeOf('A1')]).toEqual(["'It''s'!A1", "'A1'"]);
    expect(["'a!B2'!A5:F5", 'S!$B$7', 'S!A:B'].map(rowOf)).toEqual([5, 7, undefined]);
  });

  it('names columns by their first unique name, others by letter', () => {
    const columns = toColumns([' Name ', null, 'Name', 7]);
    expect(columns).toEqual(['Name', 'B', 'C', '7']);
    expect(toValues(columns, ['Ann', 1])).toEqual({ Name: 'Ann', B: 1, C: '', 7: '' });
    expect(toRow({ names: columns, count: 26 }, { 7: 'x' })).toEqual([null, null, null, 'x']);
  });
});
