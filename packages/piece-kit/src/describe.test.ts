import { action, describe as describePiece, piece, shortText, staticDropdown, trigger } from './index.js';

const props = {
  repo: shortText('Repository', { required: true, description: 'Which.' }),
  state: staticDropdown('State', ['open', { label: 'Closed', value: 'closed' }], { refreshers: ['repo'] }),
};
const list = action({
  displayName: 'List',
  description: 'Lists.',
  category: 'read',
  props,
  call: { method: 'GET', path: '/{+repo}', query: ['state'] },
});
const created = trigger({
  kind: 'polling',
  displayName: 'Created',
  description: 'Something was created.',
  props: { name: shortText('Name') },
  sample: { id: 1 },
  poll: async () => ({ events: [], cursor: null }),
});
const about = { name: 'example', displayName: 'Example', description: 'An example.', categories: ['CORE'] as const };

it('describes a piece as plain JSON, without code, schemas or OAuth details', () => {
  const oauth2 = { authUrl: 'https://x.example/authorize', tokenUrl: 'https://x.example/token', scopes: ['a'] };
  const account = { site: { displayName: 'Site', description: 'Its name.', pattern: '[a-z]+' } };
  const auth = { types: ['OAUTH2', 'SECRET_TEXT'], required: true, oauth2, account } as const;
  const entry = describePiece(piece({ ...about, auth, logoUrl: 'data:,', actions: { list }, triggers: { created } }));
  expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
  expect(entry).toEqual({
    ...about,
    logoUrl: 'data:,',
    auth: {
      type: 'OAUTH2',
      types: ['OAUTH2', 'SECRET_TEXT'],
      required: true,
      description: '',
      props: {},
      account: {
        site: {
          type: 'SHORT_TEXT',
          displayName: 'Site',
          required: true,
          description: 'Its name.',
          refreshers: [],
          options: [],
        },
      },
      oauth2: { authUrl: 'https://x.example/authorize' },
    },
    actions: {
      list: {
        name: 'list',
        displayName: 'List',
        description: 'Lists.',
        props: {
          repo: {
            type: 'SHORT_TEXT',
            displayName: 'Repository',
            required: true,
            description: 'Which.',
            refreshers: [],
            options: [],
          },
          state: {
            type: 'STATIC_DROPDOWN',
            displayName: 'State',
            required: false,
            description: '',
            refreshers: ['repo'],
            options: [
              { label: 'open', value: 'open' },
              { label: 'Closed', value: 'closed' },
            ],
          },
        },
      },
    },
    triggers: {
      created: {
        name: 'created',
        displayName: 'Created',
        description: 'Something was created.',
        props: {
          name: {
            type: 'SHORT_TEXT',
            displayName: 'Name',
            required: false,
            description: '',
            refreshers: [],
            options: [],
          },
        },
      },
    },
  });
});

it('describes a piece that needs no connection', () => {
  expect(describePiece(piece({ ...about, actions: {} })).auth).toEqual({
    type: 'NONE',
    types: [],
    required: false,
    description: '',
    props: {},
    account: {},
  });
});

it('describes the props of a CUSTOM_AUTH connection for a form, with secret ones masked', () => {
  const props = {
    region: { displayName: 'Region', description: 'eu or us.', required: true, secret: false },
    apiKey: { displayName: 'API key', required: false, secret: true },
    certificate: { displayName: 'Certificate', required: false, secret: false, multiline: true },
  };
  const auth = { types: ['CUSTOM_AUTH'], required: true, description: 'Signs each request.', props } as const;
  const neither = { refreshers: [], options: [] };
  expect(describePiece(piece({ ...about, auth, actions: {} })).auth).toEqual({
    type: 'CUSTOM_AUTH',
    types: ['CUSTOM_AUTH'],
    required: true,
    account: {},
    description: 'Signs each request.',
    props: {
      region: { type: 'SHORT_TEXT', displayName: 'Region', required: true, description: 'eu or us.', ...neither },
      apiKey: { type: 'SECRET_TEXT', displayName: 'API key', required: false, description: '', ...neither },
      certificate: { type: 'LONG_TEXT', displayName: 'Certificate', required: false, description: '', ...neither },
    },
  });
});
