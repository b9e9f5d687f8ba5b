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
    description: 'The id of a spreadsheet, or its address.',
    options: spreadsheets,
  }),
  sheet: dropdown('Sheet', {
    required: true,
    description: 'The name on the tab, as in Sheet1.',
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
  description:
    'Cells by the names in the first row, or by letter: {"Name": "Ann", "C": 3}. What is left out stays as it is.',
  refreshers: ['spreadsheetId', 'sheet'],
  props: fields,
});

/** Formulas are off by default: typed text may be a formula that sends cells elsewhere. */
export const valueInputOption = staticDropdown(
  'Values are taken',
  [
    { label: 'As they are', value: 'RAW' },
    { label: 'As if typed: formulas, dates and numbers in texts', value: 'USER_ENTERED' },
  ],
  { description: 'As they are if absent.' },
);

export const rowNumber = number('Row', {
  required: true,
  description: 'From 1, as beside it.',
  integer: true,
  minimum: 1,
});
