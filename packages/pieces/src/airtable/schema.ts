import { expandPath, type Http, type JsonValue, listAt, member, textAt } from '@drawbridge/piece-kit';

/** Matches the id of a base. */
export const BASE_ID = '^app[A-Za-z0-9]+$';

export interface Table {
  id: string;
  name: string;
  primaryFieldId: string;
  fields: Field[];
  views: JsonValue[];
}

/** A field of a table: its `type`, and the options that depend on it. */
export interface Field {
  id: string;
  name: string;
  type: string;
  options: JsonValue | undefined;
}

/** Reads the tables of a base with their fields: https://airtable.com/developers/web/api/get-base-schema */
export async function readTables(http: Http, baseId: string): Promise<Table[]> {
  const schema = await http.json({ method: 'GET', path: expandPath('/v0/meta/bases/{baseId}/tables', { baseId }) });
  return listAt(schema, 'tables').map((table) => ({
    ...named(table),
    primaryFieldId: textAt(table, 'primaryFieldId') ?? '',
    fields: listAt(table, 'fields').map(toField),
    views: listAt(table, 'views'),
  }));
}

function toField(field: JsonValue): Field {
  return { ...named(field), type: textAt(field, 'type') ?? '', options: member(field, 'options') };
}

const named = (item: JsonValue) => ({ id: textAt(item, 'id') ?? '', name: textAt(item, 'name') ?? '' });

/** Returns the table that is selected in the form by id or name, or undefined if none is selected. */
export async function selectedTable(http: Http, input: JsonValue): Promise<Table | undefined> {
  const [baseId, selected] = [selectedBase(input), textAt(input, 'table')];
  if (!baseId || !selected) return undefined;
  return (await readTables(http, baseId)).find(({ id, name }) => id === selected || name === selected);
}

/** Returns the base that is selected in the form, or undefined if none is selected. */
export function selectedBase(input: JsonValue): string | undefined {
  const id = textAt(input, 'baseId');
  return id && new RegExp(BASE_ID).test(id) ? id : undefined;
}
