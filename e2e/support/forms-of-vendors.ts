import { type ProviderBehaviour, type RecordedRequest } from '@drawbridge/testkit';

/** A select property of a piece, and the provider's responses to its options request. */
export interface VendorForm {
  integrationName: string;
  origins: string[];
  credential: object;
  question: { actionName: string; propertyName: string; input?: object };
  route: string;
  /** Returns the first or the second page, depending on the provider's cursor. */
  page(request: RecordedRequest): ProviderBehaviour;
  options: { label: string; value: string }[];
  failure: { answer: ProviderBehaviour; shown: object };
  dynamic?: { question: object; route: string; answer: object; fields: [name: string, type: string][] };
}

const key = (secretText: string): object => ({ type: 'SECRET_TEXT', secretText });
const granted = (accessToken: string): object => ({ type: 'OAUTH2', accessToken });
const cursorOf = ({ url }: RecordedRequest, name: string): string | null =>
  new URL(url, 'http://vendor').searchParams.get(name);

export const FORMS: VendorForm[] = [
  {
    integrationName: 'github',
    origins: ['https://api.github.com'],
    credential: key('ghp_form'),
    question: { actionName: 'create_issue', propertyName: 'repo' },
    route: 'GET /user/repos',
    page: (request) =>
      cursorOf(request, 'page')
        ? { body: [{ full_name: 'acme/web' }] }
        : {
            headers: { link: '<https://api.github.com/user/repos?page=2>; rel="next"' },
            body: [{ full_name: 'acme/app' }],
          },
    options: [
      { label: 'acme/app', value: 'acme/app' },
      { label: 'acme/web', value: 'acme/web' },
    ],
    failure: {
      answer: { status: 403, body: { message: 'Resource not accessible by personal access token' } },
      shown: { status: 403, message: 'Resource not accessible by personal access token' },
    },
  },
  {
    integrationName: 'slack',
    origins: ['https://slack.com'],
    credential: key('xoxb-form'),
    question: { actionName: 'send_message', propertyName: 'channel' },
    route: 'GET /api/conversations.list',
    page: (request) =>
      cursorOf(request, 'cursor')
        ? { body: { ok: true, channels: [{ id: 'C2', name: 'random' }], response_metadata: { next_cursor: '' } } }
        : { body: { ok: true, channels: [{ id: 'C1', name: 'general' }], response_metadata: { next_cursor: 'n' } } },
    options: [
      { label: '#general', value: 'C1' },
      { label: '#random', value: 'C2' },
    ],
    failure: {
      answer: { status: 200, body: { ok: false, error: 'missing_scope', needed: 'channels:read' } },
      shown: { status: 200, code: 'missing_scope', message: 'missing_scope: needs the scope channels:read' },
    },
  },
  {
    integrationName: 'stripe',
    origins: ['https://api.stripe.com'],
    credential: key('sk_test_form'),
    question: { actionName: 'create_price', propertyName: 'product' },
    route: 'GET /v1/products',
    page: (request) =>
      cursorOf(request, 'starting_after') === 'prod_1'
        ? { body: { has_more: false, data: [{ id: 'prod_2', name: 'Tea' }] } }
        : { body: { has_more: true, data: [{ id: 'prod_1', name: 'Coffee' }] } },
    options: [
      { label: 'Coffee', value: 'prod_1' },
      { label: 'Tea', value: 'prod_2' },
    ],
    failure: {
      answer: {
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'api_key_expired', message: 'No' } },
      },
      shown: { status: 400, code: 'api_key_expired', message: 'No' },
    },
  },
  {
    integrationName: 'google-sheets',
    origins: ['https://sheets.googleapis.com', 'https://www.googleapis.com'],
    credential: granted('ya29.form'),
    question: { actionName: 'append_row', propertyName: 'spreadsheetId' },
    route: 'GET /drive/v3/files',
    page: (request) =>
      cursorOf(request, 'pageToken')
        ? { body: { files: [{ id: 's2', name: 'Budget' }] } }
        : { body: { files: [{ id: 's1', name: 'People' }], nextPageToken: 'n' } },
    options: [
      { label: 'People', value: 's1' },
      { label: 'Budget', value: 's2' },
    ],
    failure: {
      answer: { status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED', message: 'No Drive' } } },
      shown: { status: 403, code: 'PERMISSION_DENIED', message: 'No Drive' },
    },
    dynamic: {
      question: { propertyName: 'values', input: { spreadsheetId: 's1', sheet: 'Staff' } },
      route: "GET /v4/spreadsheets/s1/values/'Staff'!1%3A1",
      answer: { values: [['Name', '']] },
      fields: [
        ['Name', 'SHORT_TEXT'],
        ['B', 'SHORT_TEXT'],
      ],
    },
  },
  {
    integrationName: 'notion',
    origins: ['https://api.notion.com'],
    credential: key('ntn_form'),
    question: { actionName: 'create_item', propertyName: 'data_source_id' },
    route: 'POST /v1/search',
    page: ({ body }) =>
      body.start_cursor === 'n'
        ? { body: { results: [{ id: 'd2', title: [] }], has_more: false, next_cursor: null } }
        : { body: { results: [{ id: 'd1', title: [{ plain_text: 'Teas' }] }], has_more: true, next_cursor: 'n' } },
    options: [
      { label: 'Teas', value: 'd1' },
      { label: 'Untitled', value: 'd2' },
    ],
    failure: {
      answer: { status: 404, body: { object: 'error', code: 'object_not_found', message: 'Not shared' } },
      shown: { status: 404, code: 'object_not_found', message: 'Not shared' },
    },
    dynamic: {
      question: { propertyName: 'values', input: { data_source_id: 'd1' } },
      route: 'GET /v1/data_sources/d1',
      answer: {
        properties: { Name: { type: 'title' }, State: { type: 'select', select: { options: [{ name: 'Open' }] } } },
      },
      fields: [
        ['Name', 'SHORT_TEXT'],
        ['State', 'STATIC_DROPDOWN'],
      ],
    },
  },
  {
    integrationName: 'linear',
    origins: ['https://api.linear.app'],
    credential: key('lin_api_form'),
    question: { actionName: 'create_issue', propertyName: 'teamId' },
    route: 'POST /graphql',
    page: ({ body }) => ({
      body: {
        data: {
          teams: body.variables.after
            ? { nodes: [{ id: 't2', key: 'OPS', name: 'Operations' }], pageInfo: { hasNextPage: false } }
            : {
                nodes: [{ id: 't1', key: 'ENG', name: 'Engineering' }],
                pageInfo: { hasNextPage: true, endCursor: 'n' },
              },
        },
      },
    }),
    options: [
      { label: 'Engineering (ENG)', value: 't1' },
      { label: 'Operations (OPS)', value: 't2' },
    ],
    failure: {
      answer: { status: 200, body: { errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] } },
      shown: { status: 200, code: 'FORBIDDEN', message: 'No' },
    },
  },
];
