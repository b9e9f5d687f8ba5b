import { action, dropdown, staticDropdown } from '@drawbridge/piece-kit';
import { batchFiles } from '../options.js';
import { ID, metadata } from '../properties.js';

const ENDPOINTS = [
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/videos',
];

/** Starts a batch of the requests in an uploaded file: https://platform.openai.com/docs/api-reference/batch/create */
export const createBatch = action({
  displayName: 'Create batch',
  description:
    'Runs the requests of an uploaded file within 24 hours, at a lower price. Returns the batch with its id, for get_batch.',
  category: 'payment',
  props: {
    input_file_id: dropdown('File', {
      required: true,
      description: 'A JSONL file uploaded for the purpose batch (file-…).',
      pattern: ID,
      maxLength: 200,
      options: batchFiles,
    }),
    endpoint: staticDropdown('Endpoint', ENDPOINTS, {
      required: true,
      description: 'The endpoint of all requests in the file.',
    }),
    metadata,
  },
  call: {
    method: 'POST',
    path: '/v1/batches',
    body: {
      input_file_id: 'input_file_id',
      endpoint: 'endpoint',
      completion_window: { constant: '24h' },
      metadata: 'metadata',
    },
  },
});
