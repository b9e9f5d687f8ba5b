import { dropdown, dynamic, longText, MAX_DYNAMIC_PROPS, textAt, type LoadProps } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { readColumns } from './data-source.js';
import { toField } from './form-fields.js';
import { dataSources } from './options.js';

export const dataSource = dropdown('Database', {
  required: true,
  description: 'The id of a database or one of its tables, shared with the connection.',
  options: dataSources,
});

const fields: LoadProps = async ({ http, input }) => {
  const id = textAt(input, 'data_source_id');
  const columns = id ? await readColumns(http, id) : [];
  const entries = columns.flatMap((column) => {
    const field = toField(column);
    return field ? [[column.name, field] as const] : [];
  });
  return Object.fromEntries(entries.slice(0, MAX_DYNAMIC_PROPS));
};

export const values = dynamic('Properties', {
  required: true,
  description:
    'By property name: {"Name": "Tea", "Tags": ["hot"], "Due": "2026-01-31", "Done": false}. null clears one.',
  refreshers: ['data_source_id'],
  props: fields,
});

const CONTENT = {
  description: 'Text. Each line becomes a block, by its Markdown: #, -, 1., - [ ], >, --- or ```.',
  maxLength: 100_000,
};

export const content = longText('Content', CONTENT);

export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });
