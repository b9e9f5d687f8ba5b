import { action, fieldParts, file, filePart, longText, multipart, staticDropdown } from '@drawbridge/piece-kit';
import { inBase64, toImages } from '../images.js';
import { background, compression, imageCount, imageFormat, imageModel, imageSize, TIMEOUT_MS } from '../properties.js';

/** Creates images from an image and a description: https://platform.openai.com/docs/api-reference/images/createEdit */
export const editImage = action({
  displayName: 'Edit image',
  description: 'Creates images from an image and a description, and returns them as files in "images".',
  category: 'payment',
  timeoutMs: TIMEOUT_MS,
  props: {
    model: imageModel,
    image: file('Image', {
      required: true,
      description: 'png, webp or jpeg; dall-e-2 needs a square png.',
    }),
    prompt: longText('Prompt', {
      required: true,
      description: 'What the new images show.',
      minLength: 1,
      maxLength: 32_000,
    }),
    mask: file('Mask', {
      description: 'A png of the same size, transparent where the image changes.',
    }),
    n: imageCount,
    size: imageSize,
    quality: staticDropdown('Quality', ['auto', 'low', 'medium', 'high'], { description: 'For GPT image models.' }),
    input_fidelity: staticDropdown('Fidelity', ['low', 'high'], {
      description: 'How closely details such as faces follow the image. Not for all models.',
    }),
    background,
    output_format: imageFormat,
    output_compression: compression,
  },
  run: async ({ http, input: { image, mask, ...fields } }) => {
    const parts = [
      ...fieldParts({ ...fields, ...inBase64(fields.model) }),
      filePart('image', image),
      ...(mask ? [filePart('mask', mask)] : []),
    ];
    return toImages(await http.json({ method: 'POST', path: '/v1/images/edits', ...multipart(parts) }));
  },
});
