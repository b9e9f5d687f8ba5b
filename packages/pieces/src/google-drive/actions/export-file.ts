import { action, staticDropdown, textAt, toFile } from '@drawbridge/piece-kit';
import { ALL_DRIVES, pathOf } from '../files.js';
import { file } from '../properties.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Exports a Google document, spreadsheet or presentation as a file: https://developers.google.com/workspace/drive/api/guides/ref-export-formats */
export const exportFile = action({
  displayName: 'Export',
  description: 'Returns a Google document, spreadsheet or presentation as a file of another format, of at most 10 MB.',
  category: 'read',
  props: {
    file,
    format: staticDropdown(
      'Format',
      [
        { label: 'PDF', value: 'application/pdf' },
        { label: 'Markdown (documents)', value: 'text/markdown' },
        { label: 'Plain text', value: 'text/plain' },
        { label: 'Word (documents)', value: `${OFFICE}.wordprocessingml.document` },
        { label: 'CSV of the first sheet (spreadsheets)', value: 'text/csv' },
        { label: 'Excel (spreadsheets)', value: `${OFFICE}.spreadsheetml.sheet` },
        { label: 'PowerPoint (presentations)', value: `${OFFICE}.presentationml.presentation` },
      ],
      { required: true, description: 'The type of the file.' },
    ),
  },
  run: async ({ http, input: { file: id, format } }) => {
    const found = await http.json({ method: 'GET', path: pathOf(id), query: { ...ALL_DRIVES, fields: 'name' } });
    const content = await http.request({ method: 'GET', path: pathOf(id, '/export'), query: { mimeType: format } });
    return { ...toFile(content), filename: textAt(found, 'name') ?? id };
  },
});
