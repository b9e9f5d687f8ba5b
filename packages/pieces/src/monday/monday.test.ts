import { readFileSync } from 'node:fs';
import { type JsonObject, testCredential } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { json, optionsOf, propsOf, runPiece, type Setting } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itIsAccepted } from '../../testing/witness.js';
import * as documents from './documents.js';
import { monday } from './index.js';

const schema = buildSchema(readFileSync(new URL('./monday.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] => checkGraphql(schema, request, '/v2');
const credential = { type: 'SECRET_TEXT', secretText: 'canary' } as const;
const reply = () => json({ data: { boards: [], items: [{ id: '7' }] } });
const setting: Setting = { piece: monday, credential, reply };
const asks = (query: string, variables: object): string => `POST /v2 ${JSON.stringify({ query, variables })}`;

const columns = { status: 'Done', numbers: 5, done: true, off: false, people: { personsAndTeams: [] } };
const COLUMNS = '{"status":"Done","numbers":"5","done":{"checked":"true"},"off":null,"people":{"personsAndTeams":[]}}';

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_item: [
      [{ board_id: '1', name: 'Tea' }, asks(documents.CREATE_ITEM, { board: '1', name: 'Tea' })],
      [
        { board_id: '1', name: 'Tea', group_id: 'topics', columns, create_labels: true },
        asks(documents.CREATE_ITEM, { board: '1', name: 'Tea', group: 'topics', columns: COLUMNS, labels: true }),
      ],
    ],
    update_columns: [
      [
        { board_id: '1', item_id: '7', columns },
        asks(documents.UPDATE_COLUMNS, { board: '1', item: '7', columns: COLUMNS }),
      ],
      [
        { board_id: '1', item_id: '7', columns, create_labels: false },
        asks(documents.UPDATE_COLUMNS, { board: '1', item: '7', columns: COLUMNS, labels: false }),
      ],
    ],
    get_item: [
      [{ item_id: '7' }, asks(documents.ITEMS, { ids: ['7'] })],
      [{ item_id: '7', updates: 3 }, asks(documents.ITEMS_WITH_UPDATES, { ids: ['7'], updates: 3 })],
    ],
    search_items: [
      [{ board_id: '1' }, asks(documents.SEARCH, { boards: ['1'], limit: 50, rules: [] })],
      [
        { board_id: '1', text: 'tea', column_id: 'text', limit: 500 },
        asks(documents.SEARCH, {
          ...{ boards: ['1'], limit: 100 },
          rules: [{ column_id: 'text', compare_value: ['tea'], operator: 'contains_text' }],
        }),
      ],
    ],
    list_boards: [
      [{}, asks(documents.BOARDS, { page: 1, limit: 50 })],
      [{ workspace_id: '9', limit: 500 }, asks(documents.BOARDS, { page: 1, limit: 100, workspaces: ['9'] })],
    ],
    create_update: [
      [{ item_id: '7', body: 'Hi' }, asks(documents.CREATE_UPDATE, { item: '7', body: 'Hi' })],
      [
        { item_id: '7', body: 'Hi', reply_to: '8' },
        asks(documents.CREATE_UPDATE, { item: '7', body: 'Hi', parent: '8' }),
      ],
    ],
    move_item: [
      [{ board_id: '1', item_id: '7', group_id: 'done' }, asks(documents.MOVE_ITEM, { item: '7', group: 'done' })],
    ],
    create_subitem: [
      [{ parent_item_id: '7', name: 'Tea' }, asks(documents.CREATE_SUBITEM, { parent: '7', name: 'Tea' })],
      [
        { parent_item_id: '7', name: 'Tea', columns },
        asks(documents.CREATE_SUBITEM, { parent: '7', name: 'Tea', columns: COLUMNS }),
      ],
    ],
    create_group: [[{ board_id: '1', name: 'Done' }, asks(documents.CREATE_GROUP, { board: '1', name: 'Done' })]],
    delete_item: [[{ item_id: '7' }, asks(documents.DELETE_ITEM, { item: '7' })]],
  });
});

const item = {
  ...{
    id: '7',
    name: 'Tea',
    url: 'https://x.monday.com/7',
    board: { id: '1', name: 'B' },
    group: { id: 'g', title: 'G' },
  },
  column_values: [
    { id: 'status', text: 'Done', type: 'status', column: { title: 'Status' } },
    { id: 'empty', text: null },
  ],
};
const SHORT = {
  ...{ id: '7', name: 'Tea', url: 'https://x.monday.com/7', boardId: '1', board: 'B', groupId: 'g', group: 'G' },
  columns: { status: 'Done' },
};

it.each<[string, JsonObject, object]>([
  ['create_item', { board_id: '1', name: 'Tea' }, { create_item: item }],
  ['get_item', { item_id: '7' }, { items: [item] }],
  ['move_item', { board_id: '1', item_id: '7', group_id: 'g' }, { move_item_to_group: item }],
])('%s returns the columns of an item by their ids', async (action, input, data) => {
  const { output } = await runPiece({ ...setting, reply: () => json({ data }) }, action, input);
  expect(output).toEqual(SHORT);
});

it('says that an item does not exist', async () => {
  const none = { ...setting, reply: () => json({ data: { items: [] } }) };
  await expect(runPiece(none, 'get_item', { item_id: '7' })).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'item_id' },
  });
});

it('reads the pages of a search, of which the others have another query', async () => {
  const pages = ({ body }: Recorded): Reply =>
    body.includes('next_items_page')
      ? json({ data: { next_items_page: { cursor: null, items: [{ ...item, id: '8' }] } } })
      : json({ data: { boards: [{ items_page: { cursor: 'c1', items: [item] } }] } });
  const { output, asked, received } = await runPiece({ ...setting, reply: pages }, 'search_items', { board_id: '1' });
  expect(output).toEqual({ items: [SHORT, { ...SHORT, id: '8' }] });
  expect(asked[1]).toBe(asks(documents.NEXT_ITEMS, { cursor: 'c1', limit: 50 }));
  expect(received.flatMap(check)).toEqual([]);
});

it('reads the pages of boards', async () => {
  const board = (id: number) => ({ id: `${id}`, name: `B${id}`, workspace: { id: '9', name: 'W' } });
  const pages = ({ body }: Recorded): Reply =>
    json({
      data: { boards: body.includes('"page":2') ? [board(100)] : Array.from({ length: 100 }, (_, at) => board(at)) },
    });
  const { output, received } = await runPiece({ ...setting, reply: pages }, 'list_boards', { limit: 150 });
  expect(output['items']).toHaveLength(101);
  expect(received.flatMap(check)).toEqual([]);
});

describe('the columns of a board', () => {
  const column = (id: string, type: string, more: object = {}) => ({ id, title: id.toUpperCase(), type, ...more });
  const settings_str = JSON.stringify({ labels: { 0: 'Open', 1: 'Done', 5: '' } });
  const all = [
    ...[column('text', 'text'), column('numbers', 'numbers'), column('done', 'checkbox'), column('date4', 'date')],
    ...[column('status', 'status', { settings_str }), column('broken', 'status', { settings_str: 'no JSON' })],
    ...[column('formula', 'formula'), column('old', 'text', { archived: true })],
  ];
  const shown = { ...setting, reply: () => json({ data: { boards: [{ columns: all }] } }) };

  it('are properties by their types', async () => {
    const { output, received } = await propsOf(shown, ['create_item', 'columns'], { board_id: '1' });
    const types = Object.fromEntries(Object.entries(output).map(([id, { type }]) => [id, type]));
    expect(types).toEqual({
      ...{ text: 'SHORT_TEXT', numbers: 'NUMBER', done: 'CHECKBOX', date4: 'SHORT_TEXT' },
      ...{ status: 'STATIC_DROPDOWN', broken: 'SHORT_TEXT' },
    });
    expect(output['status']!.options.map(({ value }) => value)).toEqual(['Open', 'Done']);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('are none without a board', async () => {
    expect((await propsOf(shown, ['create_item', 'columns'])).output).toEqual({});
  });
});

it.each<[string, string, object]>([
  ['create_item', 'board_id', { boards: [{ id: '1', name: 'B' }] }],
  ['create_item', 'group_id', { boards: [{ groups: [{ id: '1', title: 'B' }] }] }],
  ['search_items', 'column_id', { boards: [{ columns: [{ id: '1', title: 'B' }] }] }],
])('offers the options of %s.%s', async (action, property, data) => {
  const shown = { ...setting, reply: () => json({ data }) };
  const { output, received } = await optionsOf(shown, [action, property], { board_id: '1' });
  expect(output.options).toEqual([{ label: 'B', value: '1' }]);
  expect(received.flatMap(check)).toEqual([]);
  if (property !== 'board_id') expect((await optionsOf(shown, [action, property])).output.disabled).toBe(true);
});

it.each([
  [
    { errors: [{ message: 'No', extensions: { code: 'UserUnauthorizedException' } }] },
    'UserUnauthorizedException',
    false,
  ],
  [{ error_code: 'InvalidBoardIdException', error_message: 'No', status_code: 200 }, 'InvalidBoardIdException', false],
  [
    { errors: [{ message: 'No', extensions: { code: 'COMPLEXITY_BUDGET_EXHAUSTED', retry_in_seconds: 7 } }] },
    'COMPLEXITY_BUDGET_EXHAUSTED',
    true,
  ],
])('reads a failure with the status 200: %j', async (body, code, retryable) => {
  const failing = { ...setting, reply: () => json(body) };
  await expect(runPiece(failing, 'create_group', { board_id: '1', name: 'x' })).rejects.toMatchObject({
    ...{ name: 'ProviderError', code, message: 'No', retryable, ...(retryable && { retryAfter: 7 }) },
  });
});

it('sends a personal token alone, and the version of the API', async () => {
  const { received } = await runPiece(setting, 'get_item', { item_id: '7' });
  expect(received[0]?.headers).toMatchObject({ authorization: 'canary', 'api-version': '2026-01' });
  const oauth = { ...setting, credential: { type: 'OAUTH2', accessToken: 't', tokenType: 'Bearer' } as const };
  expect((await runPiece(oauth, 'get_item', { item_id: '7' })).received[0]?.headers.authorization).toBe('Bearer t');
});

it('tests a credential by its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({ data: { me: { id: '1' } } }));
  await testCredential(monday, { credential, send });
  await close();
  expect(received.flatMap(check)).toEqual([]);
});
