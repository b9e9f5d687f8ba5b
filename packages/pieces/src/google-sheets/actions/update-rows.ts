import { action, json, type JsonObject, type JsonValue, listAt, textAt } from '@drawbridge/piece-kit';
import { rangeOf } from '../a1.js';
import { rowCells, toRow } from '../columns.js';
import { table, valueInputOption } from '../properties.js';
import { readColumnsFor, spreadsheetPath } from '../sheet.js';

const ROW = {
  type: 'object',
  properties: { row: { type: 'integer', minimum: 1 }, values: { type: 'object' } },
  required: ['row', 'values'],
} as const;

/** Writes cells of many rows in one request: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/batchUpdate */
export const updateRows = action({
  displayName: 'Update rows',
  description:
    'Writes cells of many rows in one request and returns their ranges. An empty text clears a cell; null leaves it unchanged.',
  category: 'write',
  idempotent: true,
  props: {
    ...table,
    rows: json('Rows', {
      required: true,
      description: 'Values by column name or letter: [{"row": 2, "values": {"Name": "Ann", "C": 3}}].',
      schema: { type: 'array', items: ROW, minItems: 1, maxItems: 500 },
    }),
    valueInputOption,
  },
  run: async ({ http, input: { rows, valueInputOption: option = 'RAW', ...at } }) => {
    const columns = await readColumnsFor(
      http,
      at,
      rows.flatMap((row) => Object.keys(toObject(row.values))),
    );
    const written = rows
      .map(({ row, values }) => ({ row: Number(row), cells: toRow(columns, toObject(values), 'rows') }))
      .filter(({ cells }) => cells.length > 0);
    if (written.length === 0) return [];

    const data = written.map(({ row, cells }) => ({ range: rangeOf(at.sheet, rowCells(row, cells)), values: [cells] }));
    const path = `${spreadsheetPath(at.spreadsheetId)}/values:batchUpdate`;
    const answer = await http.json({ method: 'POST', path, json: { valueInputOption: option, data } });
    const ranges = listAt(answer, 'responses').map((one) => textAt(one, 'updatedRange') ?? '');
    return written.map(({ row }, index) => ({ row, range: ranges[index] ?? '' }));
  },
});

/** The schema accepts only objects. */
const toObject = (value: JsonValue | undefined): JsonObject => value as JsonObject;
