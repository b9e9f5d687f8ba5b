import { action, dropdown, shortText, staticDropdown, type JsonValue } from '@drawbridge/piece-kit';
import { toLetter } from '../a1.js';
import { requireColumn, toValues } from '../columns.js';
import { columns as columnOptions } from '../options.js';
import { place } from '../properties.js';
import { readColumns, readRows } from '../sheet.js';

const HEADER = 1;

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const findRow = action({
  displayName: 'Find row',
  description: 'Finds the first row with a value in a column. Returns the row; "found" is false without a match.',
  category: 'read',
  props: {
    ...place,
    column: dropdown('Column', {
      required: true,
      description: 'The column name from the first row, or the column letter.',
      refreshers: ['spreadsheetId', 'sheet'],
      options: columnOptions,
    }),
    value: shortText('Value', {
      required: true,
      description: 'The value as the sheet displays it.',
      minLength: 1,
      maxLength: 4000,
    }),
    match: staticDropdown('Match', [
      { label: 'Whole cell', value: 'exact' },
      { label: 'Part of the cell, case-insensitive', value: 'contains' },
    ]),
  },
  run: async ({ http, input: { column, value, match = 'exact', ...at } }) => {
    const columns = await readColumns(http, at);
    const letter = toLetter(requireColumn(columns, column, 'column'));
    const cells = await readRows(http, at, `${letter}${HEADER + 1}:${letter}`);
    const index = cells.findIndex(([cell]) => isMatch(cell, value, match));
    if (index < 0) return { found: false, row: null, values: null };

    const row = HEADER + 1 + index;
    const [found = []] = await readRows(http, at, `${row}:${row}`);
    return { found: true, row, values: toValues(columns, found) };
  },
});

function isMatch(cell: JsonValue | undefined, value: string, match: 'exact' | 'contains'): boolean {
  const text = String(cell ?? '');
  return match === 'exact' ? text === value : text.toLowerCase().includes(value.toLowerCase());
}
