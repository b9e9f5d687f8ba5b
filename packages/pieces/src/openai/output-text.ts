import { type JsonObject, type JsonValue, listAt, textAt } from '@drawbridge/piece-kit';

/** Returns a response with the text of its messages as `output_text`. */
export function withOutputText(response: JsonValue): JsonObject {
  const texts = listAt(response, 'output')
    .filter((item) => textAt(item, 'type') === 'message')
    .flatMap((message) => listAt(message, 'content'))
    .filter((content) => textAt(content, 'type') === 'output_text')
    .map((content) => textAt(content, 'text') ?? '');
  return { ...(response as JsonObject), output_text: texts.join('') };
}
