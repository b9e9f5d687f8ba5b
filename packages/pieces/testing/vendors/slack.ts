import type { JsonValue } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

/** Returns fake lists of Slack, with one cursor per page and an empty cursor at the end. */
export function asSlack(lists: Record<string, [key: string, items: JsonValue[]]>): (request: Recorded) => Reply {
  return ({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://slack');
    const [key, items] = lists[pathname.replace('/api/', '')] ?? ['none', []];
    const from = Number(Buffer.from(searchParams.get('cursor') ?? '', 'base64').toString() || 0);
    const to = from + Number(searchParams.get('limit'));
    const cursor = to < items.length ? Buffer.from(String(to)).toString('base64') : '';
    return json({ ok: true, [key]: items.slice(from, to), response_metadata: { next_cursor: cursor } });
  };
}
