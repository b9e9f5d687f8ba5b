import { dropdown, json, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { models } from './options.js';

/** The timeout of a request, which is within the 60 seconds of a run. */
export const TIMEOUT_MS = 55_000;

/** Matches the ids of responses, files and batches. */
export const ID = '^[\\w-]+$';

const TEXT_MODEL = /^(gpt|chatgpt|o\d)(?!.*(audio|image|instruct|live|realtime|transcribe|tts|whisper))/;

function model(example: string, pattern: RegExp) {
  return dropdown('Model', {
    required: true,
    description: `Such as ${example}.`,
    minLength: 1,
    maxLength: 200,
    options: models(pattern),
  });
}

export const textModel = model('gpt-5.1', TEXT_MODEL);
export const embeddingModel = model('text-embedding-3-small', /embedding/);
export const imageModel = model('gpt-image-1.5', /^(gpt-image|chatgpt-image|dall-e)/);
export const transcriptionModel = model('gpt-4o-transcribe', /transcribe|whisper/);
export const speechModel = model('gpt-4o-mini-tts', /tts/);

export const reasoningEffort = staticDropdown(
  'Reasoning effort',
  ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  { description: 'How much a reasoning model thinks. Values depend on the model.' },
);

export const temperature = number('Temperature', {
  description: 'Randomness from 0 to 2. Defaults to 1. Few reasoning models support it.',
  minimum: 0,
  maximum: 2,
});

export const metadata = json('Metadata', {
  description: 'At most 16 text values: {"order": "6735"}.',
  schema: {
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 512 },
  },
});

export const imageCount = number('Images', {
  description: 'Defaults to 1. At most 4 fit into an output.',
  integer: true,
  minimum: 1,
  maximum: 4,
});

export const imageSize = shortText('Size', {
  description: 'Such as 1024x1024, 1536x1024 or 1024x1536. Defaults to auto.',
  pattern: '^(auto|\\d{3,4}x\\d{3,4})$',
});

export const background = staticDropdown('Background', ['auto', 'opaque', 'transparent'], {
  description: 'Transparency needs png or webp. For GPT image models.',
});

export const imageFormat = staticDropdown('Format', ['png', 'jpeg', 'webp'], {
  description: 'Defaults to png. For GPT image models.',
});

export const compression = number('Compression', {
  description: 'Percent, for jpeg and webp. Defaults to 100.',
  integer: true,
  minimum: 0,
  maximum: 100,
});
