import { expandPath, type Http, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { languageOf } from './languages.js';
import { toRichText } from './rich-text.js';

/** Maximum number of blocks in one request. */
export const MAX_BLOCKS = 100;

/** Determines the block for a line by its first characters. The first match is used. Notion's headings have three levels. */
const LINES: readonly [RegExp, (text: string, mark: string) => JsonObject][] = [
  [/^(#{1,6}) +(.*)$/, (text, mark) => block(`heading_${Math.min(mark.length, 3)}`, text)],
  [/^\s*[-*] +\[([ xX])\] +(.*)$/, (text, mark) => block('to_do', text, { checked: mark !== ' ' })],
  [/^\s*([-*]) +(.*)$/, (text) => block('bulleted_list_item', text)],
  [/^\s*(\d{1,9}[.)]) +(.*)$/, (text) => block('numbered_list_item', text)],
  [/^(>) ?(.*)$/, (text) => block('quote', text)],
  [/^(-{3,}|\*{3,})()$/, () => ({ type: 'divider', divider: {} })],
];

/**
 * Returns a block for each line that is not empty: a paragraph, or the type that its first characters mark as in Markdown. Lines between ``` are one
 * block of code. Without a closing mark, it continues to the end.
 */
export function toBlocks(content = ''): JsonObject[] {
  const blocks: JsonObject[] = [];
  let code: { language: string; lines: string[] } | undefined;
  for (const line of content.split(/\r?\n/)) {
    const fence = /^```(.*)$/.exec(line)?.[1];
    if (fence !== undefined && !code) code = { language: languageOf(fence), lines: [] };
    else if (fence !== undefined && code) {
      blocks.push(codeBlock(code));
      code = undefined;
    } else if (code) code.lines.push(line);
    else if (line.trim() !== '') blocks.push(toBlock(line.trimEnd()));
  }
  return code ? [...blocks, codeBlock(code)] : blocks;
}

function toBlock(line: string): JsonObject {
  for (const [pattern, create] of LINES) {
    const [, mark = '', text = ''] = pattern.exec(line) ?? [];
    if (mark) return create(text, mark);
  }
  return block('paragraph', line);
}

function codeBlock({ language, lines }: { language: string; lines: readonly string[] }): JsonObject {
  return block('code', lines.join('\n'), { language });
}

function block(type: string, text: string, more: JsonObject = {}): JsonObject {
  return { type, [type]: { rich_text: toRichText(text), ...more } };
}

/** Appends blocks at the end of a page, in order, in as many requests as necessary. */
export async function appendBlocks(http: Http, id: string, blocks: readonly JsonObject[]): Promise<JsonValue[]> {
  const answers: JsonValue[] = [];
  for (let start = 0; start < blocks.length; start += MAX_BLOCKS) {
    answers.push(await appendOnce(http, id, blocks.slice(start, start + MAX_BLOCKS)));
  }
  return answers;
}

/** Appends at most `MAX_BLOCKS` blocks. */
export function appendOnce(http: Http, id: string, children: readonly JsonObject[]): Promise<JsonValue> {
  return http.json({
    method: 'PATCH',
    path: expandPath('/v1/blocks/{id}/children', { id }),
    json: { children: [...children] },
  });
}
