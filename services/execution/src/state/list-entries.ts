import { InputError, type StatePage, type StateQuery } from '@drawbridge/piece-kit';
import { type Pool } from 'pg';
import { type EntryRow, HEAD, LIVE, toEntry } from './entry-rows.js';
import { soughtWords, toQuery } from './search-words.js';
import { SPACE, type StateSpace } from './state-space.js';

/** The sort orders of lists. The column is qualified, because the unqualified name `seq` in ORDER BY would refer to the text that HEAD selects. */
const ORDERS = {
  key: { order: 'key COLLATE "C"', after: 'key COLLATE "C" > $7', none: '' },
  oldest: { order: 'state_entries.seq', after: 'seq > $7::bigint', none: '0' },
  newest: { order: 'state_entries.seq DESC', after: 'seq < $7::bigint', none: '9223372036854775807' },
};
const NUMBER = /^\d{1,18}$/;

/** Lists entries with one indexed statement that reads at most the rows of one space. Throws InputError for an invalid cursor. */
export async function listEntries(pool: Pool, space: StateSpace, query: StateQuery): Promise<StatePage> {
  const { orgId, workspaceId, scope, owner, integration } = space;
  const { prefix = '', words, order, after, limit, values } = query;
  if (order !== 'key' && after !== undefined && !NUMBER.test(after))
    throw new InputError('cursor', 'is not a cursor of this list. Omit it to read the first page');
  const { order: by, after: beyond, none } = ORDERS[order];
  // Entries that were written before 2026-12 contain the words of PostgreSQL's own parser, so both kinds of words are searched. Replaces angle
  // brackets, because that parser treats `<…>` as a tag. It indexes neither the words of a tag nor those after `<script>`.
  const asParsed = "words @@ plainto_tsquery('simple', translate($10, '<>', '  '))";
  const found =
    words === undefined ? '$8::text IS NULL AND $10::text IS NULL' : `(words @@ $8::tsquery OR ${asParsed})`;
  const text = `
    SELECT ${HEAD}${values ? ', value' : ''} FROM execution.state_entries
    WHERE org_id = $1 AND space_id = (${SPACE}) AND integration = $5 AND ${LIVE}
      AND starts_with(key, $6) AND ${order === 'key' ? 'key COLLATE "C" >= $6' : 'true'} AND ${beyond} AND ${found}
    ORDER BY ${by} LIMIT $9`;
  const place = [orgId, workspaceId, scope, owner, integration];
  const sought = words === undefined ? null : toQuery(soughtWords(words));
  const given = [...place, prefix, after ?? none, sought, limit + 1, words ?? null];
  const { rows } = await pool.query<EntryRow>(text, given);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { entries: page.map(toEntry), next: order === 'key' ? last?.key : last?.seq };
}
