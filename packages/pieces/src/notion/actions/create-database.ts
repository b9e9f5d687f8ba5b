import { action, dropdown, InputError, json, type JsonObject, member, shortText, textAt } from '@drawbridge/piece-kit';
import { pages } from '../options.js';
import { toPlainText, toRichText } from '../rich-text.js';

/** The types of columns that need no other settings. Notion rejects a status, because the API cannot set its options. */
const TYPES = [
  ...['title', 'rich_text', 'number', 'select', 'multi_select', 'date', 'people', 'files', 'checkbox', 'url'],
  ...['email', 'phone_number', 'created_time', 'created_by', 'last_edited_time', 'last_edited_by'],
];
const SELECTS = ['select', 'multi_select'];

interface Column {
  name: string;
  type: string;
  options?: string[];
}

/** Creates a database below a page: https://developers.notion.com/reference/database-create */
export const createDatabase = action({
  displayName: 'Create database',
  description: 'Creates a database below a page, and returns its id and that of its data source, which the items need.',
  category: 'write',
  adds: true,
  props: {
    page_id: dropdown('Below', { required: true, description: 'The id of the parent page.', options: pages }),
    title: shortText('Title', { required: true, description: 'The name of the database.', maxLength: 2000 }),
    columns: json('Columns', {
      description:
        'Such as [{"name": "Kind", "type": "select", "options": ["Green", "Black"]}]. Without a title column, Name is added.',
      schema: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 100 },
            type: { type: 'string', enum: TYPES },
            options: { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 100 } },
          },
          required: ['name', 'type'],
          additionalProperties: false,
        },
      },
    }),
  },
  run: async ({ http, input: { page_id, title, columns = [] } }) => {
    const database = await http.json({
      method: 'POST',
      path: '/v1/databases',
      json: {
        parent: { type: 'page_id', page_id },
        title: toRichText(title),
        initial_data_source: { properties: toColumns(columns as unknown as Column[]) },
      },
    });
    const [id, url] = [textAt(database, 'id') ?? null, textAt(database, 'url') ?? null];
    const source = textAt(database, 'data_sources', 0, 'id') ?? null;
    return { id, url, data_source_id: source, title: toPlainText(member(database, 'title')) };
  },
});

/** Throws InputError for a repeated name, for a second title, and for options of a type that has none. */
function toColumns(columns: readonly Column[]): JsonObject {
  const entries = columns.map(({ name, type, options }): [string, JsonObject] => {
    if (options && !SELECTS.includes(type)) throw new InputError('columns', `has options for "${name}", not a select`);
    return [name, { [type]: options ? { options: options.map((option) => ({ name: option })) } : {} }];
  });
  const titles = columns.filter(({ type }) => type === 'title').length;
  if (titles > 1) throw new InputError('columns', 'has more than one title');
  const all = titles === 1 ? entries : [['Name', { title: {} }] as [string, JsonObject], ...entries];
  const twice = all.find(([name], index) => all.findIndex(([other]) => other === name) < index);
  if (twice) throw new InputError('columns', `has the name "${twice[0]}" twice`);
  return Object.fromEntries(all);
}
