import { action, fieldParts, file, filePart, multipart, number, staticDropdown } from '@drawbridge/piece-kit';
import { TIMEOUT_MS } from '../properties.js';

/** Uploads a file for batches, fine-tuning or prompts: https://platform.openai.com/docs/api-reference/files/create */
export const uploadFile = action({
  displayName: 'Upload file',
  description: 'Stores a file at OpenAI for batches, fine-tuning or prompts. Returns the file with its id.',
  category: 'write',
  adds: true,
  timeoutMs: TIMEOUT_MS,
  props: {
    file: file('File', { required: true, description: 'JSONL for batches and fine-tuning.' }),
    purpose: staticDropdown('Purpose', ['batch', 'fine-tune', 'vision', 'user_data', 'evals', 'assistants'], {
      required: true,
      description: 'user_data is for files of prompts.',
    }),
    expires_after_seconds: number('Expires after', {
      description: 'Seconds until OpenAI deletes the file, from an hour to 30 days. For batches always 30 days.',
      integer: true,
      minimum: 3600,
      maximum: 2_592_000,
    }),
  },
  run: async ({ http, input: { file: given, purpose, expires_after_seconds: seconds } }) => {
    const expiry =
      seconds === undefined ? {} : { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': seconds };
    const parts = [...fieldParts({ purpose, ...expiry }), filePart('file', given)];
    return http.json({ method: 'POST', path: '/v1/files', ...multipart(parts) });
  },
});
