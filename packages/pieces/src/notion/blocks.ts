import { expandPath, type Http, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toRichText } from './rich-text.js';

/** As many as one request takes. */
export const MAX_BLOCKS = 100;

/** Each line a paragraph, or what its first signs say; empty ones are left out. */
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

/** Adds them below what is there, in their order. */
export async function appendBlocks(http: Http, id: string, blocks: readonly JsonObject[]): Promise<JsonValue[]> {
  const path = expandPath('/v1/blocks/{id}/children', { id });
  const answers: JsonValue[] = [];
  for (let start = 0; start < blocks.length; start += MAX_BLOCKS) {
    const children = blocks.slice(start, start + MAX_BLOCKS);
    answers.push(await http.json({ method: 'PATCH', path, json: { children } }));
  }
  return answers;
}
