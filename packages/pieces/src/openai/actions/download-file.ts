import { action, dropdown, expandPath, toFile } from '@drawbridge/piece-kit';
import { files } from '../options.js';
import { ID, TIMEOUT_MS } from '../properties.js';

/** Returns the content of a file: https://platform.openai.com/docs/api-reference/files/retrieve-contents */
export const downloadFile = action({
  displayName: 'Download file',
  description: 'Returns the content of a file, such as the "output_file_id" of a batch.',
  category: 'read',
  timeoutMs: TIMEOUT_MS,
  props: {
    file_id: dropdown('File', {
      required: true,
      description: 'The id of a file, such as file-abc123.',
      pattern: ID,
      maxLength: 200,
      options: files,
    }),
  },
  run: async ({ http, input }) =>
    toFile(await http.request({ method: 'GET', path: expandPath('/v1/files/{file_id}/content', input) })),
});
