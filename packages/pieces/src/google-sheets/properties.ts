import {
  dropdown,
  dynamic,
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
  refreshers: ['spreadsheetId', 'sheet'],
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
