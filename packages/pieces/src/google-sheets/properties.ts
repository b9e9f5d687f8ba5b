import {
  dropdown,
  dynamic,
  MAX_DYNAMIC_PROPS,
  number,
  shortText,
  staticDropdown,
  type LoadProps,
} from '@drawbridge/piece-kit';
import { columns, sheets, spreadsheets, tableIn } from './options.js';
import { readColumns } from './sheet.js';

export const spreadsheetId = dropdown('Spreadsheet', {
  required: true,
  description: 'The id or the URL.',
  options: spreadsheets,
});

export const place = {
  spreadsheetId,
  sheet: dropdown('Sheet', {
    required: true,
    description: 'Name of the tab, such as Sheet1.',
    refreshers: ['spreadsheetId'],
    options: sheets,
  }),
};

/** A sheet with column names. */
export const table = {
  ...place,
  headerRow: number('Header row', {
    description: 'Number of the row with the column names, directly above the data. Defaults to 1.',
    integer: true,
    minimum: 1,
    maximum: 100_000,
  }),
};

const fields: LoadProps = async ({ http, input }) => {
  const found = tableIn(input);
  const names = found ? await readColumns(http, found) : [];
  return Object.fromEntries(names.slice(0, MAX_DYNAMIC_PROPS).map((name) => [name, shortText(name)]));
};

export const values = dynamic('Values', {
  required: true,
  description: 'By column name or letter: {"Name": "Ann", "C": 3}. Omitted columns stay unchanged.',
  refreshers: ['spreadsheetId', 'sheet', 'headerRow'],
  props: fields,
});

export const column = dropdown('Column', {
  required: true,
  description: 'Column name or letter.',
  refreshers: ['spreadsheetId', 'sheet', 'headerRow'],
  options: columns,
});

export const wanted = shortText('Value', {
  required: true,
  description: 'The value as the sheet displays it.',
  minLength: 1,
  maxLength: 4000,
});

export const match = staticDropdown(
  'Match',
  [
    { label: 'Whole cell', value: 'exact' },
    { label: 'Part of the cell, case-insensitive', value: 'contains' },
  ],
  { description: 'How to compare with a cell. Defaults to the whole cell.' },
);

/** Formulas are disabled by default, because entered text may be a formula that sends cells to another server. */
export const valueInputOption = staticDropdown(
  'Value input',
  [
    { label: 'Raw values', value: 'RAW' },
    { label: 'Parse texts as formulas, dates and numbers', value: 'USER_ENTERED' },
  ],
  { description: 'Defaults to raw values.' },
);

export const render = staticDropdown(
  'Cell format',
  [
    { label: 'Displayed text', value: 'FORMATTED_VALUE' },
    { label: 'Plain values', value: 'UNFORMATTED_VALUE' },
    { label: 'Formulas', value: 'FORMULA' },
  ],
  { description: 'Defaults to displayed text.' },
);

export const rowNumber = number('Row', {
  required: true,
  description: 'The first is 1.',
  integer: true,
  minimum: 1,
});

/** A range in A1 notation without the name of its sheet. */
export const CELLS = '^[A-Z]{0,3}[0-9]{0,7}(:[A-Z]{0,3}[0-9]{0,7})?$';

/** The name of a new sheet. */
export const TITLE = { minLength: 1, maxLength: 100 } as const;

/** The schema of a list of column names. */
export const COLUMN_NAMES = { type: 'array', items: { type: 'string', maxLength: 500 }, maxItems: 200 } as const;
