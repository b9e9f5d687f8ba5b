import type { JsonObject } from '@drawbridge/piece-kit';
import type {
  BlockObjectRequest,
  CreateDatabaseParameters,
  CreateFileUploadParameters,
  CreatePageParameters,
  UpdatePageParameters,
} from '@notionhq/client';
import type { Description } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { COLUMNS, NOTION_ID as id } from '../../testing/vendors/notion.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { notion } from './index.js';

const text = { type: 'string' };
const parent = { type: 'object', properties: { type: text, data_source_id: text, page_id: text } };
/**
 * Notion's description lacks databases, files, most blocks and pages in a data source, and describes content as strings. The types of the official
 * client are newer, see below.
 */
const newer: Description = {
  source: 'npm @notionhq/client 5.26.0',
  operations: {
    'POST /v1/pages': {
      parameters: [],
      body: {
        required: true,
        schema: {
          type: 'object',
          properties: {
            parent,
            properties: { type: 'object' },
            children: { type: 'array', items: { type: 'object' } },
          },
          required: ['parent'],
        },
      },
    },
    'PATCH /v1/blocks/{block_id}/children': {
      parameters: [{ name: 'block_id', in: 'path', required: true, schema: text }],
      body: {
        required: true,
        schema: {
          type: 'object',
          properties: { children: { type: 'array', items: { type: 'object' }, maxItems: 100 } },
          required: ['children'],
        },
      },
    },
    'POST /v1/databases': {
      parameters: [],
      body: {
        required: true,
        schema: {
          type: 'object',
          properties: {
            parent,
            title: { type: 'array', items: { type: 'object' } },
            initial_data_source: { type: 'object', properties: { properties: { type: 'object' } } },
          },
          required: ['parent'],
        },
      },
    },
    'POST /v1/file_uploads': {
      parameters: [],
      body: {
        required: false,
        schema: { type: 'object', properties: { mode: { enum: ['single_part'] }, filename: text, content_type: text } },
      },
    },
    'POST /v1/file_uploads/{file_upload_id}/send': {
      parameters: [{ name: 'file_upload_id', in: 'path', required: true, schema: text }],
      body: {
        required: true,
        type: 'multipart/form-data',
        schema: { type: 'object', properties: { file: text, part_number: text }, required: ['file'] },
      },
    },
  },
};
const check = by(readDescription('notion'), newer);

const credential = { type: 'OAUTH2', accessToken: 'ntn_canary', tokenType: 'bearer' } as const;
const setting = {
  piece: notion,
  credential,
  reply: ({ url }: Recorded): Reply => json(url.startsWith('/v1/data_sources/') ? { properties: COLUMNS } : { id }),
};
const values = { Name: 'Tea', Tags: ['hot'], Due: '2026-01-31/2026-02-01', Score: 3, Done: false, State: null };
const written = {
  Name: { title: [{ type: 'text', text: { content: 'Tea' } }] },
  Tags: { multi_select: [{ name: 'hot' }] },
  Due: { date: { start: '2026-01-31', end: '2026-02-01' } },
  Score: { number: 3 },
  Done: { checkbox: false },
  State: { status: null },
};
const content = 'One\n\n- Two';
const blocks: NonNullable<CreatePageParameters['children']> = [
  { type: 'paragraph', paragraph: { rich_text: [{ type: 'text', text: { content: 'One' } }] } },
  { type: 'bulleted_list_item', bulleted_list_item: { rich_text: [{ type: 'text', text: { content: 'Two' } }] } },
];
const title = [{ type: 'text', text: { content: 'Tea' } }] as const;
const columns = `GET /v1/data_sources/${id}`;

// Type tests: the requests must be valid for the official client.
const page = { parent: { page_id: id }, properties: { title: { title: [...title] } } } satisfies CreatePageParameters;
const pageWithContent = { ...page, children: blocks } satisfies CreatePageParameters;
const item = { parent: { type: 'data_source_id', data_source_id: id }, properties: {} } satisfies CreatePageParameters;
const database = {
  parent: { type: 'page_id', page_id: id },
  title: [{ type: 'text', text: { content: 'Teas' } }],
  initial_data_source: {
    properties: { Name: { title: {} }, Kind: { select: { options: [{ name: 'Green' }] } }, Sold: { number: {} } },
  },
} satisfies CreateDatabaseParameters;
const updated = {
  page_id: id,
  properties: { title: { title: [{ type: 'text', text: { content: 'Tea' } }] } },
  icon: { emoji: '🍵' },
  cover: { external: { url: 'https://acme.example/tea.png' } },
} satisfies UpdatePageParameters;
const upload = {
  mode: 'single_part',
  filename: 'a.txt',
  content_type: 'text/plain',
} satisfies CreateFileUploadParameters;
const shown = {
  type: 'file',
  file: { type: 'file_upload', file_upload: { id }, caption: [{ type: 'text', text: { content: 'A note' } }] },
} satisfies BlockObjectRequest;
const { page_id: _page, ...update } = updated;
const { caption: _caption, ...uncaptioned } = shown.file;
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const sent = [
  `POST /v1/file_uploads ${JSON.stringify(upload)}`,
  `POST /v1/file_uploads/${id}/send file=@a.txt;text/plain;hi`,
];
const filter = { property: 'Done', checkbox: { equals: true } };
const sorts = [{ property: 'Due', direction: 'ascending' }];

describe('requests', () => {
  const line = (request: string, body: object): string => `${request} ${JSON.stringify(body)}`;

  itIsAccepted(setting, check, {
    create_page: [
      [{ page_id: id, title: 'Tea' }, line('POST /v1/pages', page)],
      [{ page_id: id, title: 'Tea', content }, line('POST /v1/pages', pageWithContent)],
    ],
    append_blocks: [
      [{ block_id: id }, line(`PATCH /v1/blocks/${id}/children`, { children: [] })],
      [{ block_id: id, content: ' \n' }, line(`PATCH /v1/blocks/${id}/children`, { children: [] })],
      [{ block_id: id, content }, line(`PATCH /v1/blocks/${id}/children`, { children: blocks })],
      [
        { block_id: id, content: 'One', blocks: [blocks[1]] as unknown as JsonObject[] },
        line(`PATCH /v1/blocks/${id}/children`, { children: blocks }),
      ],
    ],
    query_data_source: [
      [{ data_source_id: id }, `POST /v1/data_sources/${id}/query {"page_size":100}`],
      [
        { data_source_id: id, filter, sorts, limit: 5 },
        line(`POST /v1/data_sources/${id}/query`, { filter, sorts, page_size: 5 }),
      ],
    ],
    create_item: [
      [{ data_source_id: id, values: {} }, columns, line('POST /v1/pages', item)],
      [
        { data_source_id: id, values, content },
        columns,
        line('POST /v1/pages', { ...item, properties: written, children: blocks }),
      ],
    ],
    update_item: [
      [{ data_source_id: id, page_id: id, values }, columns, line(`PATCH /v1/pages/${id}`, { properties: written })],
    ],
    search: [
      [{}, 'POST /v1/search {"page_size":100}'],
      [
        { query: 'tea', kind: 'data_source', order: 'descending', limit: 7 },
        'POST /v1/search {"query":"tea","filter":{"property":"object","value":"data_source"},' +
          '"sort":{"direction":"descending","timestamp":"last_edited_time"},"page_size":7}',
      ],
    ],
    comment: [
      [
        { page_id: id, text: 'Yes' },
        line('POST /v1/comments', { parent: { page_id: id }, rich_text: [{ text: { content: 'Yes' } }] }),
      ],
    ],
    get_page: [[{ page_id: id }, `GET /v1/pages/${id}`, `GET /v1/pages/${id}/markdown`]],
    get_block_children: [
      [{ block_id: id }, `GET /v1/blocks/${id}/children?page_size=100`],
      [{ block_id: id, limit: 5 }, `GET /v1/blocks/${id}/children?page_size=5`],
    ],
    update_page: [
      [{ page_id: id }, line(`PATCH /v1/pages/${id}`, {})],
      [{ page_id: id, title: 'Tea' }, line(`PATCH /v1/pages/${id}`, { properties: update.properties })],
      [
        { page_id: id, title: 'Tea', icon: '🍵', cover: 'https://acme.example/tea.png' },
        line(`PATCH /v1/pages/${id}`, update),
      ],
    ],
    archive_page: [[{ page_id: id }, line(`PATCH /v1/pages/${id}`, { in_trash: true })]],
    create_database: [
      [
        { page_id: id, title: 'Teas' },
        line('POST /v1/databases', { ...database, initial_data_source: { properties: { Name: { title: {} } } } }),
      ],
      [
        {
          ...{ page_id: id, title: 'Teas' },
          columns: [
            { name: 'Kind', type: 'select', options: ['Green'] },
            { name: 'Sold', type: 'number' },
          ],
        },
        line('POST /v1/databases', database),
      ],
    ],
    list_comments: [
      [{ block_id: id }, `GET /v1/comments?block_id=${id}&page_size=100`],
      [{ block_id: id, limit: 5 }, `GET /v1/comments?block_id=${id}&page_size=5`],
    ],
    list_users: [
      [{}, 'GET /v1/users?page_size=100'],
      [{ limit: 5 }, 'GET /v1/users?page_size=5'],
    ],
    upload_file: [
      [
        { page_id: id, file },
        ...sent,
        line(`PATCH /v1/blocks/${id}/children`, { children: [{ type: 'file', file: uncaptioned }] }),
      ],
      [
        { page_id: id, file, caption: 'A note' },
        ...sent,
        line(`PATCH /v1/blocks/${id}/children`, { children: [shown] }),
      ],
    ],
  });
});

it('sends its pinned version', async () => {
  const { received } = await runPiece(setting, 'search', {});
  expect(received[0]?.headers).toMatchObject({ 'notion-version': '2025-09-03', authorization: 'Bearer ntn_canary' });
});

it('splits long content into several requests in order', async () => {
  const lines = Array.from({ length: 250 }, (_, index) => `Line ${index}`).join('\n');
  const { received } = await runPiece(setting, 'create_page', { page_id: id, title: 'Tea', content: lines });
  const sent = received.map(({ body }) => JSON.parse(body).children as typeof blocks);
  expect(sent.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(JSON.stringify(sent[2]?.at(-1))).toContain('Line 249');
});

it("fails with Notion's message, code and Retry-After", async () => {
  const missing = { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find page' };
  const reply = () => json(missing, 404);
  const commenting = runPiece({ ...setting, reply }, 'comment', { page_id: id, text: 'x' });
  await expect(commenting).rejects.toMatchObject({
    status: 404,
    code: 'object_not_found',
    message: 'Could not find page',
  });

  const limited = {
    ...setting,
    reply: () => json({ code: 'rate_limited', message: 'Slow down' }, 429, { 'retry-after': '31' }),
  };
  await expect(optionsOf(limited, ['comment', 'page_id'])).rejects.toMatchObject({
    code: 'rate_limited',
    retryable: true,
    retryAfter: 31,
  });
});
