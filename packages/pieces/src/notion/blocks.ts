import { expandPath, type Http, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toRichText } from './rich-text.js';

/** The limit of one request. */
export const MAX_BLOCKS = 100;

/** Returns a block for each line that is not empty: a paragraph, or the type that its first characters mark. */
export function toBlocks(content = ''): JsonObject[] {
  return content
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(toBlock);
}

function toBlock(line: string): JsonObject {
  const bullet = /^\s*[-*] +(.*)$/.exec(line)?.[1];
  const type = bullet === undefined ? 'paragraph' : 'bulleted_list_item';
  return { type, [type]: { rich_text: toRichText(bullet ?? line) } };
}

/** Appends blocks at the end of a page, in order. */
export async function appendBlocks(http: Http, id: string, blocks: readonly JsonObject[]): Promise<JsonValue[]> {
  const path = expandPath('/v1/blocks/{id}/children', { id });
  const answers: JsonValue[] = [];
  for (let start = 0; start < blocks.length; start += MAX_BLOCKS) {
    const children = blocks.slice(start, start + MAX_BLOCKS);
    answers.push(await http.json({ method: 'PATCH', path, json: { children } }));
  }
  return answers;
}
