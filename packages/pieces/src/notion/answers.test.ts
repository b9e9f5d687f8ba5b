import { type JsonObject } from '@drawbridge/piece-kit';
import type {
  BlockObjectResponse,
  CommentObjectResponse,
  FileUploadObjectResponse,
  PageObjectResponse,
  UserObjectResponse,
} from '@notionhq/client';
import { json, runPiece } from '../../testing/run-piece.js';
import type { Recorded } from '../../testing/third-party.js';
import { notion } from './index.js';

const credential = { type: 'OAUTH2', accessToken: 'ntn_canary', tokenType: 'bearer' } as const;
const time = '2026-01-31T09:00:00.000Z';
const text = (content: string) => [{ type: 'text', plain_text: content, text: { content, link: null } }];
const list = (...results: unknown[]) => ({ results, has_more: false, next_cursor: null });

/** The responses contain only fields that the piece reads. The types of the official client check their names. */
const page: Partial<PageObjectResponse> = {
  ...{ id: 'p1', url: 'https://www.notion.so/p1', created_time: time, last_edited_time: time },
  properties: { Name: { id: 'title', type: 'title', title: text('Tea') as never } },
};
const comment: Partial<CommentObjectResponse> = {
  ...{ id: 'c1', discussion_id: 'd1', created_time: time, last_edited_time: time },
  ...{ created_by: { object: 'user', id: 'u1' }, rich_text: text('Yes') as never },
};
const person: Partial<UserObjectResponse> = {
  ...{ id: 'u1', object: 'user', name: 'Ann', avatar_url: null },
  ...{ type: 'person', person: { email: 'ann@acme.example' } },
};
const bot: Partial<UserObjectResponse> = { id: 'u2', object: 'user', name: null, type: 'bot' };
const todo: Partial<BlockObjectResponse> = {
  ...{ id: 'b1', type: 'to_do', has_children: true },
  to_do: { rich_text: text('Buy') as never, color: 'default', checked: true },
};
const child: Partial<BlockObjectResponse> = {
  ...{ id: 'b2', type: 'child_page', has_children: false },
  child_page: { title: 'Below' },
};
const image: Partial<BlockObjectResponse> = {
  ...{ id: 'b3', type: 'image', has_children: false },
  image: { type: 'file', file: { url: 'https://files.example/1', expiry_time: time }, caption: [] },
};
const video: Partial<BlockObjectResponse> = {
  ...{ id: 'b4', type: 'video', has_children: false },
  video: { type: 'external', external: { url: 'https://video.example/1' }, caption: [] },
};
const item = { id: 'p1', url: 'https://www.notion.so/p1', created_time: time, last_edited_time: time };

const run = (action: string, input: JsonObject, answer: (request: Recorded) => unknown) =>
  runPiece({ piece: notion, credential, reply: (request) => json(answer(request)) }, action, input);

it.each<[string, JsonObject, unknown, unknown]>([
  ['update_page', { page_id: 'p1', icon: '🍵' }, page, { ...item, values: { Name: 'Tea' } }],
  ['archive_page', { page_id: 'p1' }, page, { ...item, values: { Name: 'Tea' } }],
  [
    'get_block_children',
    { block_id: 'p1' },
    list(todo, child, image, video),
    {
      items: [
        { id: 'b1', type: 'to_do', has_children: true, text: 'Buy', checked: true },
        { id: 'b2', type: 'child_page', has_children: false, text: 'Below' },
        { id: 'b3', type: 'image', has_children: false, text: '', file_url: 'https://files.example/1' },
        { id: 'b4', type: 'video', has_children: false, text: '', link: 'https://video.example/1' },
      ],
    },
  ],
  [
    'list_comments',
    { block_id: 'p1' },
    list(comment),
    {
      items: [
        { id: 'c1', discussion_id: 'd1', created_time: time, last_edited_time: time, created_by: 'u1', text: 'Yes' },
      ],
    },
  ],
  [
    'list_users',
    {},
    list(person, bot),
    {
      items: [
        { id: 'u1', type: 'person', name: 'Ann', email: 'ann@acme.example' },
        { id: 'u2', type: 'bot', name: null },
      ],
    },
  ],
  [
    'create_database',
    { page_id: 'p1', title: 'Teas' },
    { id: 'd1', url: 'https://www.notion.so/d1', title: text('Teas'), data_sources: [{ id: 's1', name: 'Teas' }] },
    { id: 'd1', url: 'https://www.notion.so/d1', data_source_id: 's1', title: 'Teas' },
  ],
])('returns the short form of %s', async (action, input, answer, output) => {
  expect((await run(action, input, () => answer)).output).toEqual(output);
});

it('returns a page with its content as Markdown', async () => {
  const content = { object: 'page_markdown', id: 'p1', markdown: '# Hot', truncated: true, unknown_block_ids: [] };
  const { output } = await run('get_page', { page_id: 'p1' }, ({ url }) =>
    url.endsWith('/markdown') ? content : page,
  );
  expect(output).toEqual({ ...item, values: { Name: 'Tea' }, title: 'Tea', markdown: '# Hot', truncated: true });
});

it.each([
  ['get_block_children', '/v1/blocks/p1/children?page_size=100'],
  ['list_comments', '/v1/comments?block_id=p1&page_size=100'],
  ['list_users', '/v1/users?page_size=100'],
])('reads the next page of %s', async (action, url) => {
  const next = ({ url: asked }: Recorded) => ({ ...list(), next_cursor: asked.includes('start_cursor') ? null : 'c2' });
  const { asked } = await run(action, action === 'list_users' ? {} : { block_id: 'p1' }, next);
  expect(asked).toEqual([`GET ${url}`, `GET ${url}&start_cursor=c2`]);
});

it('adds no title to a database that has one', async () => {
  const { received } = await run('create_database', columns({ name: 'Tea', type: 'title' }), () => page);
  const { initial_data_source } = JSON.parse(received[0]?.body ?? '');
  expect(initial_data_source).toEqual({ properties: { Tea: { title: {} } } });
});

it.each([
  ['image/png', 'image'],
  ['video/mp4', 'video'],
  ['audio/mpeg', 'audio'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'file'],
])('shows a file of the type %s as %s', async (mimeType, type) => {
  const uploaded: Partial<FileUploadObjectResponse> = { id: 'f1', status: 'uploaded' };
  const file = { filename: 'a.bin', mimeType, base64: 'aGk=' };
  const answer = ({ url }: Recorded) => (url.includes('/blocks/') ? list({ id: 'b1' }) : uploaded);
  const { output, received } = await run('upload_file', { page_id: 'p1', file }, answer);
  expect(output).toEqual({ id: 'b1', type, filename: 'a.bin' });
  expect(JSON.parse(received[2]?.body ?? '')).toMatchObject({
    children: [{ type, [type]: { file_upload: { id: 'f1' } } }],
  });
});

it('stops if Notion returns a file upload without an id', async () => {
  const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
  await expect(run('upload_file', { page_id: 'p1', file }, () => ({}))).rejects.toThrow('without an id');
});

it.each<[string, JsonObject, string]>([
  ['create_database', columns({ name: 'A', type: 'title' }, { name: 'B', type: 'title' }), 'more than one title'],
  ['create_database', columns({ name: 'A', type: 'date' }, { name: 'A', type: 'url' }), 'the name "A" twice'],
  ['create_database', columns({ name: 'Name', type: 'url' }), 'the name "Name" twice'],
  ['create_database', columns({ name: 'A', type: 'url', options: ['x'] }), 'has options for "A"'],
])('refuses the input of %s: %j', async (action, input, message) => {
  await expect(run(action, input, () => page)).rejects.toThrow(message);
});

function columns(...given: JsonObject[]): JsonObject {
  return { page_id: 'p1', title: 'Teas', columns: given };
}
