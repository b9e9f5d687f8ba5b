import { type JsonObject, type JsonValue, listAt, member, ProviderError, textAt } from '@drawbridge/piece-kit';

/** Requests the images themselves from models that return URLs by default. GPT image models reject the field. */
export const inBase64 = (model: string): Record<string, string> =>
  model.startsWith('dall-e') ? { response_format: 'b64_json' } : {};

/** Returns the images of a response as files. Throws ProviderError if there are none. */
export function toImages(response: JsonValue): JsonObject {
  const format = textAt(response, 'output_format') ?? 'png';
  const images = listAt(response, 'data').flatMap((image, index) => {
    const base64 = textAt(image, 'b64_json');
    return base64 ? [{ filename: `image-${index + 1}.${format}`, mimeType: `image/${format}`, base64 }] : [];
  });
  if (images.length === 0) throw new ProviderError('OpenAI returned no image');
  return { images, usage: member(response, 'usage') ?? null };
}
