import { listAt, type Send, textAt } from './answer.js';
import { type HttpRequest, openHttp } from './http.js';
import { connectionPaging, graphqlFailure, graphqlRequest } from './graphql.js';
import { type JsonValue } from './json.js';
import { listOptions } from './list-options.js';
import { linkNext, numberPaging, offsetPaging, type Paging, tokenPaging, urlPaging } from './paging.js';

const ORIGIN = 'https://api.example.com';
const byCursor: Paging = {
  items: (body) => listAt(body, 'items'),
  next: ({ body, request }) => {
    const cursor = textAt(body, 'next');
    return cursor === undefined ? undefined : { ...request, query: { ...request.query, cursor } };
  },
};

/** Returns a client of a fake provider: each page contains the items that `said` returns, and the request for the next page. */
function thirdParty(said: (page: number) => { items: number[]; next?: string }) {
  const asked: string[] = [];
  const send: Send = async ({ url }) => {
    asked.push(url.slice(ORIGIN.length));
    const body = Buffer.from(JSON.stringify(said(asked.length)));
    return { status: 200, headers: {}, body, url };
  };
  return { asked, http: openHttp({ origin: ORIGIN, paging: byCursor, send }) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const three = (page: number) => ({ items: [page * 2 - 1, page * 2], ...(page < 3 && { next: `c${page + 1}` }) });

it('hands out the items of all pages, in order', async () => {
  const { asked, http } = thirdParty(three);
  expect(await all(http.pages({ method: 'GET', path: '/x', query: { n: 2 } }, 100))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(asked).toEqual(['/x?n=2', '/x?n=2&cursor=c2', '/x?n=2&cursor=c3']);
});

it.each([
  [0, [], 0],
  [1, [1], 1],
  [2, [1, 2], 1],
  [3, [1, 2, 3], 2],
])('asks for no page that a limit of %i does not need', async (limit, items, pages) => {
  const { asked, http } = thirdParty(three);
  expect(await all(http.pages({ method: 'GET', path: '/x' }, limit))).toEqual(items);
  expect(asked).toHaveLength(pages);
});

it('requests no page beyond the limit', async () => {
  const { asked, http } = thirdParty(three);
  for await (const item of http.pages({ method: 'GET', path: '/x' }, 100)) if (item === 2) break;
  expect(asked).toHaveLength(1);
});

it('goes on after an empty page, and fails where the list goes on after 100', async () => {
  const { asked, http } = thirdParty((page) => ({ items: page === 50 ? [1] : [], next: `c${page}` }));
  const yielded: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const item of http.pages({ method: 'GET', path: '/x' }, 10)) yielded.push(item);
  };
  await expect(read()).rejects.toMatchObject({ code: 'TOO_MANY_PAGES', message: expect.stringContaining('100 pages') });
  expect([asked.length, yielded]).toEqual([100, [1]]);
});

it('ends in order where the hundredth page is the last', async () => {
  const { http } = thirdParty((page) => ({ items: [page], ...(page < 100 && { next: `c${page}` }) }));
  expect((await all(http.pages({ method: 'GET', path: '/x' }, 1_000))).length).toBeGreaterThanOrEqual(99);
});

it('fails at a page that is its own next', async () => {
  const { asked, http } = thirdParty(() => ({ items: [1], next: 'same' }));
  await expect(all(http.pages({ method: 'GET', path: '/x' }, 10))).rejects.toThrow('returned the current page');
  expect(asked).toHaveLength(2);
});

it('takes another way of paging for one request, and fails without any', async () => {
  const answer = { status: 200, headers: {}, body: Buffer.from('[1]'), url: `${ORIGIN}/x` };
  const http = openHttp({ origin: ORIGIN, send: async () => answer });
  const listed: Paging = { items: (body) => listAt(body), next: linkNext };
  expect(await all(http.pages({ method: 'GET', path: '/x' }, 10, listed))).toEqual([1]);
  expect(() => http.pages({ method: 'GET', path: '/x' }, 10)).toThrow('The list has no paging');
});

it('does not follow a Link header to another origin', async () => {
  const asked: string[] = [];
  const send: Send = async ({ url }) => {
    asked.push(url);
    return { status: 200, headers: { link: '<https://evil.example/x>; rel="next"' }, body: Buffer.from('[1]'), url };
  };
  const http = openHttp({ origin: ORIGIN, paging: { items: (body) => listAt(body), next: linkNext }, send });
  await expect(all(http.pages({ method: 'GET', path: '/x' }, 10))).rejects.toMatchObject({ name: 'ProviderError' });
  expect(asked).toEqual([`${ORIGIN}/x`]);
});

const URL_ASKED = 'https://api.example.com/repos/o/r/issues?page=1';
const request: HttpRequest = { method: 'GET', path: '/repos/o/r/issues', query: { page: 1 }, headers: { accept: 'a' } };

function next(link: string | undefined, changes: { answeredFrom?: string; asked?: HttpRequest } = {}) {
  const { answeredFrom = URL_ASKED, asked = request } = changes;
  const headers: Record<string, string> = link === undefined ? {} : { link };
  const answer = { status: 200, headers, body: Buffer.from('[]'), url: answeredFrom };
  return linkNext({ request: asked, url: URL_ASKED, answer, body: [] });
}

it.each([
  ['the only one', '<https://api.example.com/x?page=2>; rel="next"', '/x?page=2'],
  [
    'one of several',
    '<https://api.example.com/x?p=0>; rel="prev", <https://api.example.com/x?p=2>; rel="next"',
    '/x?p=2',
  ],
  ['one without quotes', '<https://api.example.com/x?page=2>;rel=next', '/x?page=2'],
  ['one of several relations', '</x?page=2>; rel="last NEXT"', '/x?page=2'],
  ['a relative one', '<?page=2>; rel="next"', '/repos/o/r/issues?page=2'],
  ['one with commas and semicolons', '</x?a=1,2;3>; title="a, <b>; rel=\\"prev\\""; rel="next"', '/x?a=1,2;3'],
])('follows %s', (_, link, path) => {
  expect(next(link)).toEqual({ ...request, path: ORIGIN + path, query: undefined });
});

it.each([
  ['no header', undefined],
  ['no next', '<https://api.example.com/x>; rel="last"'],
  ['another relation', '<https://api.example.com/x>; rel="next-archive"'],
  ['a next within another text', '<https://api.example.com/x>; title="; rel=next"; rel="last"'],
  ['a second rel', '<https://api.example.com/x>; rel="last"; rel="next"'],
  ['nonsense', 'rel="next"; <'],
])('ends at %s', (_, link) => {
  expect(next(link)).toBeUndefined();
});

it.each([
  ['another host', '<https://evil.example/x>; rel="next"', {}],
  ['a host that only looks alike', '<https://api.example.com.evil.example/x>; rel="next"', {}],
  ['another host, without its scheme', '<//evil.example/x>; rel="next"', {}],
  ['another scheme', '<http://api.example.com/x>; rel="next"', {}],
  ['another port', '<https://api.example.com:8443/x>; rel="next"', {}],
  ['no address', '<https://>; rel="next"', {}],
  ['where a redirect had led', '<?page=2>; rel="next"', { answeredFrom: 'https://other.example/x' }],
])('refuses %s', (_, link, changes) => {
  expect(() => next(link, changes)).toThrow('The provider returned a next page at another origin');
});

it('keeps to whole addresses where the piece has no origin', () => {
  const asked = { method: 'GET', path: URL_ASKED };
  const path = 'https://api.example.com/x?page=2';
  expect(next('</x?page=2>; rel="next"', { asked })).toEqual({ ...asked, path, query: undefined });
  expect(() => next('<https://evil.example/x>; rel="next"', { asked })).toThrow('at another origin');
});

it('reads a long header at once', () => {
  expect(next('<'.repeat(100_000))).toBeUndefined();
  expect(next('<a>;b="'.repeat(20_000))).toBeUndefined();
  expect(next(`<a>${'; b'.repeat(40_000)}`)).toBeUndefined();
});

describe('the pages of a list, as data', () => {
  /** Reads a list from these responses in order, and returns its items and the requests. */
  async function run(paging: Paging, bodies: object[], request: Partial<HttpRequest> = {}) {
    const asked: string[] = [];
    const send: Send = async ({ url, body = '' }) => {
      asked.push(url.slice(ORIGIN.length) + (body as string));
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(bodies[asked.length - 1])), url };
    };
    const http = openHttp({ origin: ORIGIN, paging, send });
    return { items: await all(http.pages({ method: 'GET', path: '/x', ...request }, 100)), asked };
  }

  it('continue with a token of the body', async () => {
    const paging = tokenPaging({ items: 'files', next: 'meta.next', param: 'pageToken' });
    const bodies = [
      { files: [1], meta: { next: 'a b' } },
      { files: [2], meta: { next: '' } },
    ];
    const { items, asked } = await run(paging, bodies, { query: { q: 'x' } });
    expect([items, asked]).toEqual([
      [1, 2],
      ['/x?q=x', '/x?q=x&pageToken=a+b'],
    ]);
  });

  it('continue with a token in the JSON of the request', async () => {
    const paging = tokenPaging({ items: 'results', next: 'next_cursor', param: 'start', in: 'json' });
    const bodies = [
      { results: [1], next_cursor: 'c' },
      { results: [2], next_cursor: null },
    ];
    const { items, asked } = await run(paging, bodies, { method: 'POST', json: { size: 1 } });
    expect([items, asked]).toEqual([
      [1, 2],
      ['/x{"size":1}', '/x{"size":1,"start":"c"}'],
    ]);
  });

  it('continue with a token that is a number, until it is 0', async () => {
    const paging = tokenPaging({ items: 'users', next: 'next', param: 'cursor', in: 'json' });
    const bodies = [
      { users: [1], next: 7 },
      { users: [2], next: 0 },
    ];
    const { items, asked } = await run(paging, bodies, { method: 'POST', json: {} });
    expect([items, asked]).toEqual([
      [1, 2],
      ['/x{}', '/x{"cursor":7}'],
    ]);
  });

  it('continue with a URL of the body, absolute or relative', async () => {
    const paging = urlPaging({ items: 'value', next: ['@odata.nextLink'] });
    const bodies = [
      { value: [1], '@odata.nextLink': `${ORIGIN}/x?skip=1` },
      { value: [2], '@odata.nextLink': '/x?skip=2' },
      { value: [3], '@odata.nextLink': '' },
    ];
    const { items, asked } = await run(paging, bodies, { query: { top: 1 } });
    expect([items, asked]).toEqual([
      [1, 2, 3],
      ['/x?top=1', '/x?skip=1', '/x?skip=2'],
    ]);
  });

  it('end with an error if a URL leaves the origin', async () => {
    const paging = urlPaging({ items: 'value', next: 'next' });
    await expect(run(paging, [{ value: [1], next: 'https://other.example/x' }])).rejects.toThrow('another origin');
  });

  it('continue by the number of items, and end with a page that is not full', async () => {
    const paging = offsetPaging({ items: '', param: 'offset', size: 2 });
    const { items, asked } = await run(paging, [[1, 2], [3, 4], []]);
    expect([items, asked]).toEqual([
      [1, 2, 3, 4],
      ['/x', '/x?offset=2', '/x?offset=4'],
    ]);
  });

  it('continue after an offset that is no number from the first', async () => {
    const paging = offsetPaging({ items: '', param: 'offset', size: 1 });
    expect((await run(paging, [[1], []], { query: { offset: 'x' } })).asked).toEqual(['/x?offset=x', '/x?offset=1']);
  });

  it('continue by the number of the page', async () => {
    const paging = numberPaging({ items: 'a.b', param: 'page', size: 2 });
    const { items, asked } = await run(paging, [{ a: { b: [1, 2] } }, { a: { b: [3] } }]);
    expect([items, asked]).toEqual([
      [1, 2, 3],
      ['/x', '/x?page=2'],
    ]);
  });

  it('end if a GraphQL connection has a next page without a cursor', async () => {
    const bodies = [{ data: { issues: { nodes: [1], pageInfo: { hasNextPage: true, endCursor: null } } } }];
    expect((await run(connectionPaging('issues'), bodies, graphqlRequest('q'))).items).toEqual([1]);
  });

  it('continue after the cursor of a GraphQL connection, with nodes or edges', async () => {
    const pageOf = (list: object, endCursor: string, hasNextPage: boolean) => ({
      data: { team: { issues: { ...list, pageInfo: { endCursor, hasNextPage } } } },
    });
    const bodies = [pageOf({ nodes: [1] }, 'c1', true), pageOf({ edges: [{ node: 2 }] }, 'c2', false)];
    const { items, asked } = await run(connectionPaging('team', 'issues'), bodies, graphqlRequest('q', { n: 1 }, '/g'));
    const [first, second] = asked.map((one) => one.slice(2)).map((json) => JSON.parse(json));
    expect([items, first, second]).toEqual([
      [1, 2],
      { query: 'q', variables: { n: 1 } },
      { query: 'q', variables: { n: 1, after: 'c1' } },
    ]);
  });
});

it.each<[string, JsonValue, object | undefined]>([
  [
    'the first of the errors',
    { errors: [{ message: 'No', extensions: { code: 'X' } }], data: {} },
    { message: 'No', code: 'X' },
  ],
  ['an error without details', { errors: [null] }, { message: undefined, code: undefined }],
  ['no error', { errors: [], data: {} }, undefined],
])('reads %s of a GraphQL response', (_, body, failure) => expect(graphqlFailure(body)).toEqual(failure));

it('makes options of a list: its own label and value, no item without them', async () => {
  const noText = { toString: 1, valueOf: 1 };
  const items = [
    { id: 7, name: 'Seven' },
    { id: 'x', name: '' },
    ...[{ name: 'no id' }, { id: noText, name: 'An object' }, { id: [1], name: 'A list' }, { id: '', name: 'Empty' }],
    { key: { id: 'k' }, name: 'Key' },
  ];
  const send: Send = async ({ url }) => ({
    status: 200,
    headers: {},
    body: Buffer.from(JSON.stringify({ items })),
    url,
  });
  const http = openHttp({ origin: ORIGIN, paging: byCursor, send });
  const request = { method: 'GET', path: '/x' };
  expect(await listOptions(http, request)).toEqual([{ label: 'Seven', value: '7' }]);
  const details = { value: 'key.id', label: (item: JsonValue) => `its ${textAt(item, 'name')}` };
  expect(await listOptions(http, request, details)).toEqual([{ label: 'its Key', value: 'k' }]);
});
