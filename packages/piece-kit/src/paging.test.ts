import { openHttp } from './http.js';
import { linkNext } from './link-next.js';
import { listAt, textAt } from './member.js';
import type { Paging } from './paging.js';
import type { Send } from './send.js';

const ORIGIN = 'https://api.example.com';
const byCursor: Paging = {
  items: (body) => listAt(body, 'items'),
  next: ({ body, request }) => {
    const cursor = textAt(body, 'next');
    return cursor === undefined ? undefined : { ...request, query: { ...request.query, cursor } };
  },
};

/** A fake provider: each page has the items that `said` returns, and the request for the next page. */
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

it('asks for no page whose items nobody wants', async () => {
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
  await expect(all(http.pages({ method: 'GET', path: '/x' }, 10))).rejects.toThrow('names the page that it answered');
  expect(asked).toHaveLength(2);
});

it('takes another way of paging for one request, and fails without any', async () => {
  const answer = { status: 200, headers: {}, body: Buffer.from('[1]'), url: `${ORIGIN}/x` };
  const http = openHttp({ origin: ORIGIN, send: async () => answer });
  const listed: Paging = { items: (body) => listAt(body), next: linkNext };
  expect(await all(http.pages({ method: 'GET', path: '/x' }, 10, listed))).toEqual([1]);
  expect(() => http.pages({ method: 'GET', path: '/x' }, 10)).toThrow('how its lists come in pages');
});

it('sends nothing elsewhere because of what a Link header says', async () => {
  const asked: string[] = [];
  const send: Send = async ({ url }) => {
    asked.push(url);
    return { status: 200, headers: { link: '<https://evil.example/x>; rel="next"' }, body: Buffer.from('[1]'), url };
  };
  const http = openHttp({ origin: ORIGIN, paging: { items: (body) => listAt(body), next: linkNext }, send });
  await expect(all(http.pages({ method: 'GET', path: '/x' }, 10))).rejects.toMatchObject({ name: 'ProviderError' });
  expect(asked).toEqual([`${ORIGIN}/x`]);
});
