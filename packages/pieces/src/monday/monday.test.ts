import { readFileSync } from 'node:fs';
import { type JsonObject, type JsonValue, readAccount, testCredential } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { json, optionsOf, propsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itIsAccepted } from '../../testing/witness.js';
import * as documents from './documents.js';
import { monday } from './index.js';

const schema = buildSchema(readFileSync(new URL('./monday.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] =>
  request.url === '/v2' ? checkGraphql(schema, { ...request, url: '/graphql' }) : [`${request.url} is another path`];
const credential = { type: 'SECRET_TEXT', secretText: 'monday_canary' } as const;
const setting: Setting = {
  piece: monday,
  credential,
  reply: () => json({ data: { any: { id: '1' }, items: [{ id: '1' }] } }),
};

const asks = (query: string, variables: object): string => `POST /v2 ${JSON.stringify({ query, variables })}`;
const values = {
  status: 'Done',
  numbers: 5,
  check: true,
  off: false,
  people: ['1', '2'],
  date4: null,
  timeline: { from: '2026-01-01' },
};
const COLUMNS =
  '{"status":"Done","numbers":"5","check":{"checked":"true"},"off":null,"people":"1,2","date4":null,"timeline":{"from":"2026-01-01"}}';
const rules = [{ column_id: 'status', operator: 'any_of', compare_value: [1], compare_attribute: 'x' }];

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_item: [
      [{ board_id: '10', item_name: 'Tea' }, asks(documents.CREATE_ITEM, { board_id: '10', item_name: 'Tea' })],
      [
        { board_id: '10', item_name: 'Tea', group_id: 'topics', column_values: values, create_labels_if_missing: true },
        asks(documents.CREATE_ITEM, {
          ...{ board_id: '10', item_name: 'Tea', group_id: 'topics', create_labels_if_missing: true },
          column_values: COLUMNS,
        }),
      ],
    ],
    update_columns: [
      [
        { board_id: '10', item_id: '20' },
        asks(documents.UPDATE_COLUMNS, { board_id: '10', item_id: '20', column_values: '{}' }),
      ],
      [
        { board_id: '10', item_id: '20', column_values: values, name: 'Tea', create_labels_if_missing: false },
        asks(documents.UPDATE_COLUMNS, {
          ...{ board_id: '10', item_id: '20', create_labels_if_missing: false },
          column_values: COLUMNS.replace(/}$/, ',"name":"Tea"}'),
        }),
      ],
    ],
    get_item: [
      [{ item_id: '20' }, asks(documents.GET_ITEM, { ids: ['20'], updates: false })],
      [{ item_id: '20', updates: true }, asks(documents.GET_ITEM, { ids: ['20'], updates: true })],
    ],
    search_items: [
      [{ board_id: '10' }, asks(documents.SEARCH_ITEMS, { board_id: '10', limit: 50, query_params: {} })],
      [
        { board_id: '10', text: 'tea', rules, sort_by: 'date4', sort_order: 'desc', limit: 7 },
        asks(documents.SEARCH_ITEMS, {
          ...{ board_id: '10', limit: 7 },
          query_params: {
            operator: 'and',
            rules: [{ column_id: 'name', operator: 'contains_text', compare_value: ['tea'] }, ...rules],
            order_by: [{ column_id: 'date4', direction: 'desc' }],
          },
        }),
      ],
    ],
    list_boards: [
      [{}, asks(documents.BOARDS, { limit: 50, page: 1 })],
      [
        { workspace_ids: ['5'], state: 'archived', limit: 500 },
        asks(documents.BOARDS, { workspace_ids: ['5'], state: 'archived', limit: 100, page: 1 }),
      ],
    ],
    create_update: [
      [{ item_id: '20', body: 'Hi' }, asks(documents.CREATE_UPDATE, { item_id: '20', body: 'Hi' })],
      [
        { item_id: '20', body: 'Hi', parent_id: '30' },
        asks(documents.CREATE_UPDATE, { item_id: '20', body: 'Hi', parent_id: '30' }),
      ],
    ],
    move_item: [
      [{ item_id: '20', group_id: 'topics' }, asks(documents.MOVE_ITEM, { item_id: '20', group_id: 'topics' })],
      [
        { item_id: '20', board_id: '10', group_id: 'topics' },
        asks(documents.MOVE_ITEM, { item_id: '20', group_id: 'topics' }),
      ],
    ],
    move_item_to_board: [
      [
        { item_id: '20', board_id: '10', group_id: 'topics' },
        asks(documents.MOVE_ITEM_TO_BOARD, { item_id: '20', board_id: '10', group_id: 'topics' }),
      ],
      [
        {
          item_id: '20',
          board_id: '10',
          group_id: 'topics',
          columns_mapping: [{ source: 'a', target: 'b' }, { source: 'c' }],
        },
        asks(documents.MOVE_ITEM_TO_BOARD, {
          ...{ item_id: '20', board_id: '10', group_id: 'topics' },
          columns_mapping: [{ source: 'a', target: 'b' }, { source: 'c' }],
        }),
      ],
    ],
    create_subitem: [
      [
        { parent_item_id: '20', item_name: 'Tea' },
        asks(documents.CREATE_SUBITEM, { parent_item_id: '20', item_name: 'Tea' }),
      ],
      [
        { parent_item_id: '20', item_name: 'Tea', column_values: values, create_labels_if_missing: true },
        asks(documents.CREATE_SUBITEM, {
          ...{ parent_item_id: '20', item_name: 'Tea', create_labels_if_missing: true, column_values: COLUMNS },
        }),
      ],
    ],
    create_group: [
      [{ board_id: '10', group_name: 'New' }, asks(documents.CREATE_GROUP, { board_id: '10', group_name: 'New' })],
      [
        { board_id: '10', group_name: 'New', group_color: '#ff642e' },
        asks(documents.CREATE_GROUP, { board_id: '10', group_name: 'New', group_color: '#ff642e' }),
      ],
    ],
    delete_item: [[{ item_id: '20' }, asks(documents.DELETE_ITEM, { item_id: '20' })]],
  });

  it('are refused with a misspelt field, operator or argument', async () => {
    const { received } = await runPiece(setting, 'search_items', { board_id: '10', rules });
    const changed = (from: string, to: string) =>
      received
        .map((request) => ({ ...request, body: request.body.replace(from, to) }))
        .flatMap(check)
        .join();
    expect(changed('display_value', 'displayed')).toContain('Cannot query field "displayed"');
    expect(changed('"any_of"', '"any"')).toContain('does not exist in "ItemsQueryRuleOperator"');
    expect(changed('(limit: $limit, query_params:', '(limit: $limit, params:')).toContain('Unknown argument "params"');
  });

  it('offer the operators that the schema has', () => {
    const shown = JSON.stringify(monday.actions['search_items']?.props['rules']?.schema);
    const known = schema.getType('ItemsQueryRuleOperator')?.toConfig() as unknown as { values: object };
    expect(Object.keys(known.values).filter((name) => !shown.includes(`"${name}"`))).toEqual([]);
  });
});

it('sends the version and the token without a scheme', async () => {
  const oauth = { type: 'OAUTH2', accessToken: 'monday_oauth', tokenType: 'Bearer' } as const;
  for (const [given, authorization] of [
    [credential, 'monday_canary'],
    [oauth, 'monday_oauth'],
  ] as const) {
    const { received } = await runPiece({ ...setting, credential: given }, 'delete_item', { item_id: '20' });
    expect(received[0]?.headers).toMatchObject({ authorization, 'api-version': '2026-01' });
  }
});

describe('outputs', () => {
  const run = async (name: string, input: JsonObject, data: JsonValue) =>
    (await runPiece({ ...setting, reply: () => json({ data, account_id: 1 }) }, name, input)).output;
  const column = (id: string, more: JsonObject) => ({ id, type: 'text', text: null, column: { title: id }, ...more });
  const item = (id: string): JsonObject => ({
    ...{ id, name: 'Tea', url: 'https://acme.monday.com/1', state: 'active', group: { id: 'topics', title: 'New' } },
    column_values: [
      column('a', { text: 'x' }),
      column('b', {}),
      column('c', { text: '' }),
      column('d', { display_value: 'y' }),
    ],
  });
  const short = (id: string) => ({
    ...{ id, name: 'Tea', url: 'https://acme.monday.com/1', state: 'active', group: { id: 'topics', title: 'New' } },
    columns: [
      { id: 'a', title: 'a', type: 'text', text: 'x' },
      { id: 'd', title: 'd', type: 'text', text: 'y' },
    ],
  });

  it('has an item with the columns that have a value', async () => {
    expect(await run('create_item', { board_id: '1', item_name: 'x' }, { create_item: item('1') })).toEqual(short('1'));
    expect(await run('get_item', { item_id: '1' }, { items: [item('1')] })).toEqual(short('1'));
    const update = { id: '3', text_body: 'Hi' };
    expect(await run('create_update', { item_id: '1', body: 'Hi' }, { create_update: update })).toEqual(update);
  });

  it('reports an item that does not exist, and a change that was not made', async () => {
    await expect(run('get_item', { item_id: '1' }, { items: [] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
    await expect(run('delete_item', { item_id: '1' }, { delete_item: null })).rejects.toThrow(
      'did not apply the change',
    );
  });

  it('reads the pages of items up to the limit', async () => {
    const pages = [
      { boards: [{ items_page: { cursor: 'c1', items: [item('1'), item('2')] } }] },
      { next_items_page: { cursor: null, items: [item('3')] } },
    ];
    const reply = ({ body }: Recorded) => json({ data: pages[body.includes('"cursor":"c1"') ? 1 : 0] });
    const { output, received, asked } = await runPiece({ ...setting, reply }, 'search_items', { board_id: '10' });
    expect((output['items'] as JsonObject[]).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(asked[1]).toBe(asks(documents.NEXT_ITEMS, { cursor: 'c1', limit: 100 }));
    expect(received.flatMap(check)).toEqual([]);
    expect((await runPiece({ ...setting, reply }, 'search_items', { board_id: '10', limit: 2 })).asked).toHaveLength(1);
  });
});

describe('forms', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: String(index),
      name: `N${index}`,
      workspace: index ? { name: 'W' } : null,
    }));
  const column = (id: string, type: string, settings: unknown = {}, archived = false) => ({
    ...{ id, title: `T ${id}`, type, archived },
    settings_str: typeof settings === 'string' ? settings : JSON.stringify(settings),
  });
  const columns = [
    ...[column('name', 'name'), column('text', 'text'), column('long', 'long_text'), column('num', 'numbers')],
    ...[column('yes', 'checkbox'), column('day', 'date'), column('who', 'people'), column('mail', 'email')],
    ...[column('tel', 'phone'), column('web', 'link'), column('span', 'timeline'), column('rel', 'board_relation')],
    ...[column('at', 'hour'), column('land', 'country'), column('stars', 'rating'), column('sum', 'formula')],
    column('state', 'status', { labels: { 0: 'Working', 1: 'Done', 5: '' } }),
    column('free', 'status', 'no JSON'),
    column('tags', 'dropdown', {
      labels: [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
      ],
    }),
    column('old', 'text', {}, true),
  ];
  const groups = [
    { id: 'topics', title: 'New', archived: false },
    { id: 'old', title: 'Old', archived: true },
  ];

  function reply({ body }: Recorded): Reply {
    const { query, variables } = JSON.parse(body) as { query: string; variables: { page: number; limit: number } };
    if (query === documents.BOARD_COLUMNS) return json({ data: { boards: [{ columns }] } });
    if (query === documents.GROUPS) return json({ data: { boards: [{ groups }] } });
    const page = many(150).slice((variables.page - 1) * variables.limit, variables.page * variables.limit);
    return json({ data: { boards: page, workspaces: page } });
  }
  const offered = async (action: string, property: string, input: JsonObject = {}) => {
    const { output, received } = await optionsOf({ ...setting, reply }, [action, property], input);
    expect(received.flatMap(check)).toEqual([]);
    return output;
  };

  it('offer boards, workspaces and groups', async () => {
    const { options } = await offered('create_item', 'board_id');
    expect(options).toHaveLength(150);
    expect(options.slice(0, 2)).toEqual([
      { label: 'N0', value: '0' },
      { label: 'N1 (W)', value: '1' },
    ]);
    expect((await offered('list_boards', 'workspace_ids')).options).toHaveLength(150);
    expect((await offered('create_item', 'group_id', { board_id: '10' })).options).toEqual([
      { label: 'New', value: 'topics' },
    ]);
    expect(await offered('create_item', 'group_id')).toEqual({ options: [], disabled: true });
  });

  it('have a field for each column that can be set', async () => {
    const { output, received } = await propsOf({ ...setting, reply }, ['create_item', 'column_values'], {
      board_id: '10',
    });
    expect(received.flatMap(check)).toEqual([]);
    expect(Object.entries(output).map(([id, { type }]) => `${id} ${type}`)).toEqual([
      ...['text SHORT_TEXT', 'long LONG_TEXT', 'num NUMBER', 'yes CHECKBOX', 'day SHORT_TEXT', 'who MULTI_SELECT'],
      ...['mail JSON', 'tel JSON', 'web JSON', 'span JSON', 'rel JSON', 'at JSON', 'land JSON', 'stars NUMBER'],
      ...['state STATIC_DROPDOWN', 'free SHORT_TEXT', 'tags STATIC_MULTI_SELECT'],
    ]);
    expect(output['state']?.options.map(({ value }) => value)).toEqual(['Working', 'Done']);
    expect(output['tags']?.options.map(({ value }) => value)).toEqual(['A', 'B']);
    expect((await propsOf({ ...setting, reply }, ['create_item', 'column_values'])).output).toEqual({});
  });
});

describe('a failure', () => {
  const failing = (body: unknown, status = 200) =>
    runPiece({ ...setting, reply: () => json(body, status) }, 'delete_item', { item_id: '1' });
  const error = (code: string, more: JsonObject = {}) => ({
    data: {},
    errors: [{ message: 'No', extensions: { code, ...more } }],
  });

  it.each<[unknown, object, number?]>([
    [error('InvalidColumnIdException'), { code: 'InvalidColumnIdException', message: 'No', retryable: false }],
    [error('COMPLEXITY_BUDGET_EXHAUSTED', { retry_in_seconds: 45 }), { retryable: true, retryAfter: 45 }],
    [
      { error_code: 'ComplexityException', error_message: 'Too much' },
      { code: 'ComplexityException', message: 'Too much' },
    ],
    [error('DAILY_LIMIT_EXCEEDED', { retry_in_seconds: 45 }), { code: 'DAILY_LIMIT_EXCEEDED', retryable: false }, 429],
  ])('is detected in %j', async (body, failure, status = 200) => {
    await expect(failing(body, status)).rejects.toMatchObject({ name: 'ProviderError', status, ...failure });
  });

  it('of a token has the status 401', async () => {
    await expect(failing({ errors: ['Not Authenticated'] }, 401)).rejects.toMatchObject({ status: 401 });
  });
});

it('tests a connection and reads its account', async () => {
  const me = { id: '1', name: 'Ann', email: 'ann@acme.example', account: { id: '2', name: 'Acme', slug: 'acme' } };
  const { received, send, close } = await startThirdParty(() => json({ data: { me } }));
  await testCredential(monday, { credential, send });
  const account = await readAccount(monday, { credential, send });
  await close();
  expect(account).toEqual({ data: { slug: 'acme' }, label: 'Acme, ann@acme.example' });
  expect(received.map(toLine)).toEqual([asks(documents.ME, {}), asks(documents.ME, {})]);
  expect(received.flatMap(check)).toEqual([]);
});
