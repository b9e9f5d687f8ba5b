import { checkbox, dropdown, dynamic, json, longText, type LoadProps, MAX_DYNAMIC_PROPS } from '@drawbridge/piece-kit';
import { toFormField } from './form-fields.js';
import { bases, fieldNames, records, tables, views } from './options.js';
import { BASE_ID, selectedTable } from './schema.js';

export const baseId = dropdown('Base', {
  required: true,
  description: 'The id (app…).',
  pattern: BASE_ID,
  options: bases,
});

export const table = dropdown('Table', {
  required: true,
  description: 'The id (tbl…) or name of a table.',
  minLength: 1,
  refreshers: ['baseId'],
  options: tables,
});

/** The properties that select a table. */
export const place = { baseId, table };

export const view = dropdown('View', {
  description: 'The id or name. Only its records are used.',
  refreshers: ['baseId', 'table'],
  options: views,
});

export const recordId = dropdown('Record', {
  required: true,
  description: 'The id (rec…).',
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

export const newFields = dynamic('Fields', { ...FIELDS, description: `By field name: ${EXAMPLE}.` });
export const changedFields = dynamic('Fields', {
  ...FIELDS,
  description: `By field name: ${EXAMPLE}. null clears a field; omitted fields stay unchanged.`,
});

/** Limits a run to 10 requests, because Airtable allows 5 requests per second and base. */
const MAX_RECORDS = 100;

export const manyRecords = json('Records', {
  required: true,
  description: 'Values by field name: [{"Name": "Tea"}, {"Name": "Milk"}].',
  schema: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: MAX_RECORDS },
});

export const typecast = checkbox('Convert texts', {
  description: 'Converts texts to the type of their field and adds missing select options. Defaults to false.',
});

export const formula = longText('Formula', {
  description: "A formula, such as AND({Status} = 'Open', {Price} > 3).",
});

export const fieldsToReturn = {
  refreshers: ['baseId', 'table'],
  options: fieldNames(),
} as const;
