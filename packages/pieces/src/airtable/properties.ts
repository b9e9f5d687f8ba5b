import { checkbox, dropdown, dynamic, json, longText, type LoadProps, MAX_DYNAMIC_PROPS } from '@drawbridge/piece-kit';
import { toFormField } from './form-fields.js';
import { bases, fieldNames, records, tables, views } from './options.js';
import { BASE_ID, selectedTable } from './schema.js';

export const baseId = dropdown('Base', {
  required: true,
  description: 'The id of a base, such as appLkNDICXNqxSDhG.',
  pattern: BASE_ID,
  options: bases,
});

export const table = dropdown('Table', {
  required: true,
  description: 'The id of a table, such as tbltp8DGLhqbUmjK1, or its name.',
  minLength: 1,
  refreshers: ['baseId'],
  options: tables,
});

/** The properties that select a table. */
export const place = { baseId, table };

export const view = dropdown('View', {
  description: 'The id or the name of a view. Only its records are used.',
  refreshers: ['baseId', 'table'],
  options: views,
});

export const recordId = dropdown('Record', {
  required: true,
  description: 'The id of a record, such as rec560UJdUtocSouk.',
  pattern: '^rec[A-Za-z0-9]+$',
  refreshers: ['baseId', 'table'],
  options: records,
});

const formFields: LoadProps = async ({ http, input }) => {
  const entries = ((await selectedTable(http, input))?.fields ?? []).flatMap((field) => {
    const property = toFormField(field);
    return property ? [[field.name, property] as const] : [];
  });
  return Object.fromEntries(entries.slice(0, MAX_DYNAMIC_PROPS));
};

const FIELDS = {
  required: true,
  refreshers: ['baseId', 'table'],
  props: formFields,
} as const;
const EXAMPLE = '{"Name": "Tea", "Price": 4.5, "Tags": ["hot"], "Done": true}';

export const newFields = dynamic('Fields', { ...FIELDS, description: `Values by the name of a field: ${EXAMPLE}.` });
export const changedFields = dynamic('Fields', {
  ...FIELDS,
  description: `Values by the name of a field: ${EXAMPLE}. null clears a field; omitted fields stay unchanged.`,
});

/** Limits a run to 10 requests: Airtable allows 5 a second in a base. */
const MAX_RECORDS = 100;

export const manyRecords = json('Records', {
  required: true,
  description: 'Each record has values by the name of a field: [{"Name": "Tea"}, {"Name": "Milk"}].',
  schema: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: MAX_RECORDS },
});

export const typecast = checkbox('Convert texts', {
  description: 'Converts texts to the type of their field, and adds missing options to selects. Defaults to false.',
});

export const formula = longText('Formula', {
  description: "Only records for which a formula is true: AND({Status} = 'Open', {Price} > 3).",
});

export const fieldsToReturn = {
  refreshers: ['baseId', 'table'],
  options: fieldNames(),
} as const;
