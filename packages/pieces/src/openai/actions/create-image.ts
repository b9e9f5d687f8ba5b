import { action, longText, staticDropdown } from '@drawbridge/piece-kit';
import { inBase64, toImages } from '../images.js';
import { background, compression, imageCount, imageFormat, imageModel, imageSize, TIMEOUT_MS } from '../properties.js';

/** Creates images from a description: https://platform.openai.com/docs/api-reference/images/create */
export const createImage = action({
  displayName: 'Create image',
  description:
    'Creates images from a description and returns them as files in "images". High quality can take longer than the 55 seconds of the request.',
  category: 'payment',
  timeoutMs: TIMEOUT_MS,
  props: {
    model: imageModel,
    prompt: longText('Prompt', {
      required: true,
      description: 'What the images show.',
      minLength: 1,
      maxLength: 32_000,
    }),
    n: imageCount,
    size: imageSize,
    quality: staticDropdown('Quality', ['auto', 'low', 'medium', 'high', 'standard', 'hd'], {
      description: 'GPT image models: low, medium, high; dall-e-3: standard, hd.',
    }),
    background,
    output_format: imageFormat,
    output_compression: compression,
  },
  run: async ({ http, input }) => {
    const body = { ...input, ...inBase64(input.model) };
    return toImages(await http.json({ method: 'POST', path: '/v1/images/generations', json: body }));
  },
});
