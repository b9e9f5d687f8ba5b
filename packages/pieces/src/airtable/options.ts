import {
  type JsonValue,
  listOptions,
  type LoadOptions,
  member,
  type SelectOption,
  textAt,
  tokenPaging,
} from '@drawbridge/piece-kit';
import { allOf, fieldRef, quoted } from './formula.js';
import { listing } from './records.js';
import { type Field, readTables, selectedBase, selectedTable } from './schema.js';

const NOTHING = { options: [], disabled: true };
/** Maximum number of bases in a form, which is the number on one page: https://airtable.com/developers/web/api/list-bases */
const MAX_BASES = 1_000;
const MAX_RECORDS = 300;

export const basePaging = tokenPaging({ items: 'bases', next: 'offset', param: 'offset' });

export const bases: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v0/meta/bases' }, { limit: MAX_BASES, paging: basePaging });

export const tables: LoadOptions = async ({ http, input }) => {
  const baseId = selectedBase(input);
  return baseId ? (await readTables(http, baseId)).map(toOption) : NOTHING;
};

export const views: LoadOptions = async ({ http, input }) => {
  const table = await selectedTable(http, input);
  if (!table) return NOTHING;
  return table.views.map((view) => toOption({ id: textAt(view, 'id') ?? '', name: textAt(view, 'name') ?? '' }));
};

/** Lists the fields that `isWanted` accepts. The values are names, because records and formulas refer to fields by name. */
export const fieldNames =
  (isWanted: (field: Field) => boolean = () => true): LoadOptions =>
  async ({ http, input }) => {
    const table = await selectedTable(http, input);
    return table?.fields.filter(isWanted).map(({ name }) => ({ label: name, value: name })) ?? NOTHING;
  };

/** Lists records by their primary field. With a search, lists the records with a primary field that contains its words. */
export const records: LoadOptions = async ({ http, input, search = '' }) => {
  const [baseId, table] = [selectedBase(input), await selectedTable(http, input)];
  const primary = table?.fields.find(({ id }) => id === table.primaryFieldId)?.name;
  if (!baseId || !table || primary === undefined) return NOTHING;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const filterByFormula = allOf(...words.map((word) => `SEARCH(${quoted(word)}, LOWER(${fieldRef(primary)} & ''))`));
  const request = listing({ baseId, table: table.id }, { filterByFormula, fields: [primary], pageSize: 100 });
  const label = (record: JsonValue): string | undefined => labelOf(record, primary);
  return listOptions(http, request, { label, limit: MAX_RECORDS });
};

function labelOf(record: JsonValue, primary: string): string | undefined {
  const value = member(record, 'fields', primary);
  return ['string', 'number'].includes(typeof value) && value !== '' ? String(value) : textAt(record, 'id');
}

const toOption = ({ id, name }: { id: string; name: string }): SelectOption => ({ label: name, value: id });
