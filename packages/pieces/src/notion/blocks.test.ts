import { type JsonObject } from '@drawbridge/piece-kit';
import type { BlockObjectRequest } from '@notionhq/client';
import { toBlocks } from './blocks.js';
import { type Language, languageOf } from './languages.js';

type Code = Extract<BlockObjectRequest, { code: unknown }>['code'];
const text = (content: string) => [{ type: 'text' as const, text: { content } }];

it.each<[string, BlockObjectRequest[]]>([
  ['One', [{ type: 'paragraph', paragraph: { rich_text: text('One') } }]],
  ['One \t', [{ type: 'paragraph', paragraph: { rich_text: text('One') } }]],
  ['# One', [{ type: 'heading_1', heading_1: { rich_text: text('One') } }]],
  ['##  Two', [{ type: 'heading_2', heading_2: { rich_text: text('Two') } }]],
  ['### Three', [{ type: 'heading_3', heading_3: { rich_text: text('Three') } }]],
  ['##### Five', [{ type: 'heading_3', heading_3: { rich_text: text('Five') } }]],
  ['#tag', [{ type: 'paragraph', paragraph: { rich_text: text('#tag') } }]],
  ['* One', [{ type: 'bulleted_list_item', bulleted_list_item: { rich_text: text('One') } }]],
  ['  - One', [{ type: 'bulleted_list_item', bulleted_list_item: { rich_text: text('One') } }]],
  ['12. One', [{ type: 'numbered_list_item', numbered_list_item: { rich_text: text('One') } }]],
  ['1) One', [{ type: 'numbered_list_item', numbered_list_item: { rich_text: text('One') } }]],
  ['2026. One', [{ type: 'numbered_list_item', numbered_list_item: { rich_text: text('One') } }]],
  ['3.5 cups', [{ type: 'paragraph', paragraph: { rich_text: text('3.5 cups') } }]],
  ['- [ ] One', [{ type: 'to_do', to_do: { rich_text: text('One'), checked: false } }]],
  ['- [X] One', [{ type: 'to_do', to_do: { rich_text: text('One'), checked: true } }]],
  ['> One', [{ type: 'quote', quote: { rich_text: text('One') } }]],
  ['---', [{ type: 'divider', divider: {} }]],
  ['```js\n# a\n\n  b\n```', [{ type: 'code', code: { rich_text: text('# a\n\n  b'), language: 'javascript' } }]],
  ['```\na', [{ type: 'code', code: { rich_text: text('a'), language: 'plain text' } }]],
  ['\r\n \n', []],
])('converts %j', (content, blocks) => expect(toBlocks(content)).toEqual(blocks as unknown as JsonObject[]));

it('ends a block of code at its fence', () => {
  const types = toBlocks('a\n```\nb\n```\nc\n```').map(({ type }) => type);
  expect(types).toEqual(['paragraph', 'code', 'paragraph', 'code']);
});

it.each([
  ['TS', 'typescript'],
  ['python title="a.py"', 'python'],
  ['klingon', 'plain text'],
  ['constructor', 'plain text'],
  ['', 'plain text'],
])('knows the language %j as %s', (info, language) => expect(languageOf(info)).toBe(language));

it('has the languages of the official client', () => {
  type Missing = Exclude<Language, Code['language']>;
  const missing: Missing[] = [];
  expect(missing).toEqual([]);
});

it.each(['#', ' ', '- ', '1', '`', '```', '```\n', '\n', '> ', '***', '- [ ', '9', '\u{1F375}'])(
  'converts the longest content of %j in time linear in its size',
  (part) => {
    const cost = (size: number): number => {
      const content = part.repeat(size / part.length);
      const began = process.cpuUsage();
      toBlocks(content);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1_000;
    };
    cost(2_000);
    expect(cost(100_000)).toBeLessThan(2_000);
  },
);
