import { action, shortText } from '@drawbridge/piece-kit';
import { place } from '../properties.js';
import { valuesPath } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/clear */
export const clear = action({
  displayName: 'Clear cells',
  description: 'Empties cells of a sheet. Their formats stay.',
  category: 'delete',
  idempotent: true,
  props: {
    ...place,
    range: shortText('Range', {
      description: 'As in A2:F, which is all below the first row. All of the sheet if absent, its first row too.',
      pattern: '^[A-Z]{0,3}[0-9]{0,7}(:[A-Z]{0,3}[0-9]{0,7})?$',
      minLength: 1,
    }),
  },
  run: async ({ http, input: { range, ...at } }) =>
    http.json({ method: 'POST', path: valuesPath(at, range, ':clear'), json: {} }),
});
