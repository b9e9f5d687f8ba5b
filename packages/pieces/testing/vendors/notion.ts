import type { JsonObject } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

export const NOTION_ID = '0195ffcb-1dbd-7a3c-a7a5-6f0b2f2f9a11';

/** The columns of the data source in tests. */
export const COLUMNS = {
  Name: { type: 'title', title: {} },
  Tags: { type: 'multi_select', multi_select: { options: [{ name: 'hot' }, { name: 'cold' }] } },
  State: { type: 'status', status: { options: [{ name: 'Open' }] } },
  Kind: { type: 'select', select: { options: [] } },
  Due: { type: 'date', date: {} },
  Score: { type: 'number', number: { format: 'number' } },
  Done: { type: 'checkbox', checkbox: {} },
  Notes: { type: 'rich_text', rich_text: {} },
  Owner: { type: 'people', people: {} },
  Sum: { type: 'formula', formula: { expression: '1+1' } },
};

/** Returns fake lists of Notion. The body of the next request contains `next_cursor`. */
export function asNotion(results: JsonObject[]): (request: Recorded) => Reply {
  return ({ url, body }) => {
    if (url === `/v1/data_sources/${NOTION_ID}`) return json({ properties: COLUMNS });
    const { start_cursor = '0', page_size } = JSON.parse(body) as { start_cursor?: string; page_size: number };
    const to = Number(start_cursor) + page_size;
    const has_more = to < results.length;
    return json({
      results: results.slice(Number(start_cursor), to),
      has_more,
      next_cursor: has_more ? String(to) : null,
    });
  };
}
