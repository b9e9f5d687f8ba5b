import { listAt, textAt, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';

/** The longest text object: https://developers.notion.com/reference/request-limits */
const MAX_LENGTH = 2000;

/** Splits a string into text objects, never within a character. */
export function toRichText(text: string): JsonObject[] {
  const pieces: string[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    if (last === undefined || last.length + character.length > MAX_LENGTH) pieces.push(character);
    else pieces[pieces.length - 1] = last + character;
  }
  return pieces.map((content) => ({ type: 'text', text: { content } }));
}

/** Returns the text without its formatting. */
export function toPlainText(richText: JsonValue | undefined): string {
  return listAt({ richText }, 'richText')
    .map((piece) => textAt(piece, 'plain_text') ?? textAt(piece, 'text', 'content') ?? '')
    .join('');
}
