import { action, json, type JsonObject, type JsonValue, scalarAt } from '@drawbridge/piece-kit';
import { rangeOf, toLetter } from '../a1.js';
import { toRow } from '../columns.js';
import { headerRow, MAX_ROWS, place, valueInputOption } from '../properties.js';
import { readColumns, spreadsheetPath } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/batchUpdate */
export const updateRows = action({
  displayName: 'Update rows',
  description: 'Writes cells of up to 1,000 rows at once. An empty text clears a cell; null leaves it unchanged.',
  category: 'write',
  idempotent: true,
  props: {
    ...place,
    rows: json('Rows', {
      required: true,
      description: 'Row numbers with values by column name or letter: [{"row": 2, "values": {"Name": "Ann"}}].',
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ROWS,
        items: {
          type: 'object',
          properties: { row: { type: 'integer', minimum: 1 }, values: { type: 'object' } },
          required: ['row', 'values'],
          additionalProperties: false,
        },
      },
    }),
    valueInputOption,
    headerRow,
  },
  run: async ({ http, input: { rows, valueInputOption: option = 'RAW', ...at } }) => {
    const columns = await readColumns(http, at);
    const data = rows.flatMap(({ row, values }): JsonObject[] => {
      const cells: JsonValue[] = toRow(columns, values as JsonObject, 'rows');
      const range = rangeOf(at.sheet, `A${row}:${toLetter(Math.max(0, cells.length - 1))}${row}`);
      return cells.length > 0 ? [{ range, values: [cells] }] : [];
    });
    if (data.length === 0) return { rows: 0, cells: 0 };
    const path = spreadsheetPath(at.spreadsheetId, '/values:batchUpdate');
    const answer = await http.json({ method: 'POST', path, json: { valueInputOption: option, data } });
    return { rows: data.length, cells: Number(scalarAt(answer, 'totalUpdatedCells') ?? 0) };
  },
});
