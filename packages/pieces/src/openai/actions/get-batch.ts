import { action, dropdown } from '@drawbridge/piece-kit';
import { batches } from '../options.js';
import { ID } from '../properties.js';

/** Returns a batch with its status: https://platform.openai.com/docs/api-reference/batch/retrieve */
export const getBatch = action({
  displayName: 'Get batch',
  description:
    'Reads the state of a batch. Once "status" is completed, download_file reads the results from its "output_file_id".',
  category: 'read',
  props: {
    batch_id: dropdown('Batch', {
      required: true,
      description: 'The id of a batch, such as batch_abc123.',
      pattern: ID,
      maxLength: 200,
      options: batches,
    }),
  },
  call: { method: 'GET', path: '/v1/batches/{batch_id}' },
});
