import { authorizationHeader, type Http, piece, ProviderError } from '@drawbridge/piece-kit';
import { chat } from './actions/chat.js';
import { createBatch } from './actions/create-batch.js';
import { createImage } from './actions/create-image.js';
import { downloadFile } from './actions/download-file.js';
import { editImage } from './actions/edit-image.js';
import { embed } from './actions/embed.js';
import { getBatch } from './actions/get-batch.js';
import { getResponse } from './actions/get-response.js';
import { listModels } from './actions/list-models.js';
import { moderate } from './actions/moderate.js';
import { respond } from './actions/respond.js';
import { speak } from './actions/speak.js';
import { transcribe } from './actions/transcribe.js';
import { uploadFile } from './actions/upload-file.js';
import { paging } from './paging.js';

/** Error codes of a 429 that a later request gets again, because the account must pay first: https://platform.openai.com/docs/guides/error-codes */
const UNPAID = [
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'project_spend_limit_exceeded',
];

export const openai = piece({
  name: 'openai',
  displayName: 'OpenAI',
  description: 'Generates text, images, speech and embeddings, transcribes audio and runs batches.',
  categories: ['ARTIFICIAL_INTELLIGENCE'],
  origin: 'https://api.openai.com',
  auth: {
    types: ['SECRET_TEXT'],
    required: true,
    description: 'An API key of a project (sk-proj-…), from "API keys" in the settings of the OpenAI platform.',
    keysUrl: 'https://platform.openai.com/api-keys',
    test: isKnown,
    // A 401 can also mean a missing scope, a blocked network or an account without an organization.
    refusedWhen: [{ status: 401, code: 'invalid_api_key' }],
  },
  http: {
    authorize: authorizationHeader,
    paging,
    // The headers contain durations such as 6m0s: https://platform.openai.com/docs/guides/rate-limits
    rateLimit: {
      wait: [
        { header: 'x-ratelimit-reset-requests', as: 'duration' },
        { header: 'x-ratelimit-reset-tokens', as: 'duration' },
      ],
      except: UNPAID.map((code) => ({ code })),
    },
  },
  actions: {
    respond,
    get_response: getResponse,
    chat,
    embed,
    create_image: createImage,
    edit_image: editImage,
    transcribe,
    speak,
    moderate,
    list_models: listModels,
    upload_file: uploadFile,
    download_file: downloadFile,
    create_batch: createBatch,
    get_batch: getBatch,
  },
});

/** Accepts restricted keys, even if they cannot list models. */
async function isKnown(http: Http): Promise<void> {
  try {
    await http.request({ method: 'GET', path: '/v1/models' });
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.message.includes('Missing scopes')) throw error;
  }
}
