import { dropdown, type Http, type JsonValue, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { toLetter } from './a1.js';
import { requireColumn } from './columns.js';
import { columns as columnOptions } from './options.js';
import { headerOf, readRows, type Table } from './sheet.js';

/** The properties of a search in one column. */
export const search = {
  column: dropdown('Column', {
    required: true,
    description: 'The column name from the header row, or the column letter.',
    refreshers: ['spreadsheetId', 'sheet', 'headerRow'],
    options: columnOptions,
  }),
  value: shortText('Value', {
    required: true,
    description: 'The value as the sheet displays it.',
    minLength: 1,
    maxLength: 4000,
  }),
  match: staticDropdown(
    'Match',
    [
      { label: 'Whole cell', value: 'exact' },
      { label: 'Part of the cell, case-insensitive', value: 'contains' },
    ],
    { description: 'Defaults to the whole cell.' },
  ),
};

interface Wanted {
  columns: readonly string[];
  column: string;
  value: string;
  match?: 'exact' | 'contains';
  limit: number;
}

/** Returns the numbers of the first rows below the header that have the value in the column. Throws InputError for an unknown column. */
export async function findIn(http: Http, place: Table, wanted: Wanted): Promise<number[]> {
  const { columns, column, value, match = 'exact', limit } = wanted;
  const [letter, first] = [toLetter(requireColumn(columns, column, 'column')), headerOf(place) + 1];
  const cells = await readRows(http, place, `${letter}${first}:${letter}`);
  const found = cells.flatMap(([cell], index) => (isMatch(cell, value, match) ? [first + index] : []));
  return found.slice(0, limit);
}

function isMatch(cell: JsonValue | undefined, value: string, match: 'exact' | 'contains'): boolean {
  const text = String(cell ?? '');
  return match === 'exact' ? text === value : text.toLowerCase().includes(value.toLowerCase());
}
