// Shapes: local
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';

const PATH = '/api/v1/workspaces';
const COUNT = 55;

let api: Api;
let other: Api;
/** Workspace ids, newest first. */
const ids: string[] = [];

beforeAll(async () => {
  ({ api, other } = await drawbridge());
  await other.post(PATH, { name: 'Theirs', slug: 'theirs' });
  for (let i = 0; i < COUNT; i++) {
    const { body } = await api.post(PATH, { name: `Workspace ${i}`, slug: `w-${i}` });
    ids.unshift(body.workspace.id);
  }
});

async function list(query: string): Promise<{ ids: string[]; total: number }> {
  const { status, body } = await api.get(PATH + query);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['total', 'workspaces']);
  return { ids: body.workspaces.map(({ id }: { id: string }) => id), total: body.total };
}

it('the newest 50 workspaces are listed first, with the total of this organization', async () => {
  expect(await list('')).toEqual({ ids: ids.slice(0, 50), total: COUNT });
});

it('the list is paged by limit and offset', async () => {
  expect(await list('?limit=3&offset=2')).toEqual({ ids: ids.slice(2, 5), total: COUNT });
  expect(await list('?limit=100')).toEqual({ ids, total: COUNT });
  expect(await list(`?offset=${COUNT}`)).toEqual({ ids: [], total: COUNT });
  expect(await list('?offset=2147483647')).toEqual({ ids: [], total: COUNT });
});

it('includeSuspended is true or false', async () => {
  expect((await list('?includeSuspended=true')).total).toBe(COUNT);
  expect((await list('?includeSuspended=false')).total).toBe(COUNT);
  expectInvalid(await api.get(`${PATH}?includeSuspended=maybe`), 'includeSuspended');
});

it.each(['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=ten', 'limit=', 'limit=1&limit=2'])(
  'the list refuses %s',
  async (query) => {
    expectInvalid(await api.get(`${PATH}?${query}`), 'limit');
  },
);

it.each(['offset=-1', 'offset=0.5', 'offset=x', 'offset=2147483648', 'offset=1e999'])(
  'the list refuses %s',
  async (query) => {
    expectInvalid(await api.get(`${PATH}?${query}`), 'offset');
  },
);

it('the list reports every invalid query parameter at once, unknown ones included', async () => {
  expectInvalid(await api.get(`${PATH}?limit=0&offset=-1&page=2`), 'limit', 'offset', 'page');
});
