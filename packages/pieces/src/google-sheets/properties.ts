import {
  dropdown,
  dynamic,
  json,
  MAX_DYNAMIC_PROPS,
  number,
  shortText,
  staticDropdown,
  type LoadProps,
} from '@drawbridge/piece-kit';
import { placeIn, sheets, spreadsheets } from './options.js';
import { readColumns } from './sheet.js';

export const place = {
  spreadsheetId: dropdown('Spreadsheet', {
    required: true,
    description: 'The id or the URL of a spreadsheet.',
    options: spreadsheets,
  }),
  sheet: dropdown('Sheet', {
    required: true,
    description: 'The name on the tab, such as Sheet1.',
    refreshers: ['spreadsheetId'],
    options: sheets,
  }),
};

const fields: LoadProps = async ({ http, input }) => {
  const found = placeIn(input);
  const names = found ? await readColumns(http, found) : [];
  return Object.fromEntries(names.slice(0, MAX_DYNAMIC_PROPS).map((name) => [name, shortText(name)]));
};

export const values = dynamic('Values', {
  required: true,
  description: 'Values by column name or letter: {"Name": "Ann", "C": 3}. Omitted columns stay unchanged.',
  refreshers: ['spreadsheetId', 'sheet', 'headerRow'],
  props: fields,
});

/** Formulas are off by default: typed text may be a formula that sends cells elsewhere. */
export const valueInputOption = staticDropdown(
  'Value input',
  [
    { label: 'Raw values', value: 'RAW' },
    { label: 'Parse texts as formulas, dates and numbers', value: 'USER_ENTERED' },
  ],
  { description: 'Defaults to raw values.' },
);

export const rowNumber = number('Row', {
  required: true,
  description: 'Row number. The first is 1.',
  integer: true,
  minimum: 1,
});

/** Most sheets have the names of their columns in the first row; reports have a title above them. */
export const headerRow = number('Header row', {
  description: 'Number of the row with the column names. Defaults to 1.',
  integer: true,
  minimum: 1,
  maximum: 1000,
});

export const render = staticDropdown(
  'Cell format',
  [
    { label: 'Displayed text', value: 'FORMATTED_VALUE' },
    { label: 'Plain values', value: 'UNFORMATTED_VALUE' },
    { label: 'Formulas', value: 'FORMULA' },
  ],
  { description: 'Defaults to displayed text.' },
);

export const MAX_ROWS = 1_000;

export const rowsOfValues = (description: string) =>
  json('Rows', {
    required: true,
    description,
    schema: { type: 'array', minItems: 1, maxItems: MAX_ROWS, items: { type: 'object' } },
  });
