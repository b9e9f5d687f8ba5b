import { action, shortText } from '@drawbridge/piece-kit';
import { CELLS, place } from '../properties.js';
import { valuesPath } from '../sheet.js';

/**
 * Deletes the values of cells and keeps their formats: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/clear
 */
export const clear = action({
  displayName: 'Clear cells',
  description: 'Deletes the values of cells and keeps their formats.',
  category: 'delete',
  idempotent: true,
  props: {
    ...place,
    range: shortText('Range', {
      description: 'A1 notation, such as A2:F. Defaults to the whole sheet with its first row.',
      pattern: CELLS,
      minLength: 1,
    }),
  },
  run: async ({ http, input: { range, ...at } }) =>
    http.json({ method: 'POST', path: valuesPath(at, range, ':clear'), json: {} }),
});
