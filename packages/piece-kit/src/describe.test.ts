import { action, describe as describePiece, piece, shortText, staticDropdown } from './index.js';

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
const about = { name: 'example', displayName: 'Example', description: 'An example.', categories: ['TEST'] };

it('describes a piece as plain JSON, without code, schemas or OAuth details', () => {
  const oauth2 = { authUrl: 'https://x.example/authorize', tokenUrl: 'https://x.example/token', scopes: ['a'] };
  const auth = { types: ['OAUTH2', 'SECRET_TEXT'], required: true, oauth2 } as const;
  const entry = describePiece(piece({ ...about, auth, logoUrl: 'data:,', actions: { list } }));
  expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
  expect(entry).toEqual({
    ...about,
    logoUrl: 'data:,',
    auth: {
      type: 'OAUTH2',
      types: ['OAUTH2', 'SECRET_TEXT'],
      required: true,
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
    triggers: {},
  });
});

it('describes a piece that needs no connection', () => {
  expect(describePiece(piece({ ...about, actions: {} })).auth).toEqual({ type: 'NONE', types: [], required: false });
});
