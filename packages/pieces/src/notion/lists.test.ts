import type { JsonObject } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { optionsOf, propsOf, runPiece } from '../../testing/run-piece.js';
import { asNotion, NOTION_ID as id } from '../../testing/vendors/notion.js';
import { by } from '../../testing/witness.js';
import { notion } from './index.js';

const check = by(readDescription('notion'));
const setting = {
  piece: notion,
  credential: { type: 'OAUTH2', accessToken: 'ntn_canary', tokenType: 'bearer' },
} as const;

const named = (name: string) => ({ Name: { type: 'title', title: [{ plain_text: name }] } });
const items = Array.from({ length: 150 }, (_, index) => ({
  ...{ id: `p${index}`, object: 'page', url: `https://notion.so/p${index}`, properties: named(`Item ${index}`) },
}));

describe('lists', () => {
  it('collect items over several pages as plain values', async () => {
    const input = { data_source_id: id, limit: 120 };
    const { output, asked } = await runPiece({ ...setting, reply: asNotion(items) }, 'query_data_source', input);
    expect(output.items).toHaveLength(120);
    expect(output.items).toContainEqual(expect.objectContaining({ id: 'p119', values: { Name: 'Item 119' } }));
    expect(asked[1]).toBe(`POST /v1/data_sources/${id}/query {"page_size":100,"start_cursor":"100"}`);
  });

  it('return the titles of results', async () => {
    const results = [...items.slice(0, 1), { id: 'd1', object: 'data_source', title: [{ plain_text: 'Teas' }] }];
    const { output } = await runPiece({ ...setting, reply: asNotion(results) }, 'search', {});
    expect(output.items).toMatchObject([
      { id: 'p0', title: 'Item 0' },
      { id: 'd1', title: 'Teas' },
    ]);
  });
});

describe('options', () => {
  const reply = asNotion(items);
  const offered = async (action: string, property: string, input: JsonObject = {}, search?: string) => {
    const { output, received, asked } = await optionsOf({ ...setting, reply }, [action, property], input, search);
    expect(received.flatMap(check)).toEqual([]);
    return { ...output, asked };
  };

  it('list pages by title over several pages', async () => {
    expect((await offered('comment', 'page_id')).options).toHaveLength(150);
    const { options, asked } = await offered('comment', 'page_id', {}, 'item 149');
    expect(options).toEqual([{ label: 'Item 149', value: 'p149' }]);
    expect(asked[0]).toContain('{"query":"item 149","filter":{"property":"object","value":"page"}');
  });

  it('list databases and the items of the selected one', async () => {
    const source = [
      { id, title: [{ plain_text: 'Te' }, { plain_text: 'as' }] },
      { id: 'd2', title: [] },
    ];
    const { output } = await optionsOf({ ...setting, reply: asNotion(source) }, ['create_item', 'data_source_id']);
    expect(output.options).toEqual([
      { label: 'Teas', value: id },
      { label: 'Untitled', value: 'd2' },
    ]);
    expect((await offered('update_item', 'page_id', { data_source_id: id })).options).toHaveLength(150);
    expect(await offered('update_item', 'page_id')).toMatchObject({ options: [], disabled: true, asked: [] });
  });

  it('have a field for each writable property', async () => {
    const { output } = await propsOf({ ...setting, reply }, ['create_item', 'values'], { data_source_id: id });
    expect(
      Object.entries(output).map(([key, { type, options }]) => [key, type, ...options.map(({ value }) => value)]),
    ).toEqual([
      ...[
        ['Name', 'SHORT_TEXT'],
        ['Tags', 'STATIC_MULTI_SELECT', 'hot', 'cold'],
        ['State', 'STATIC_DROPDOWN', 'Open'],
      ],
      ...[
        ['Kind', 'SHORT_TEXT'],
        ['Due', 'SHORT_TEXT'],
        ['Score', 'NUMBER'],
        ['Done', 'CHECKBOX'],
      ],
      ...[
        ['Notes', 'LONG_TEXT'],
        ['Owner', 'JSON'],
      ],
    ]);
    expect((await propsOf({ ...setting, reply }, ['create_item', 'values'])).output).toEqual({});
  });
});
