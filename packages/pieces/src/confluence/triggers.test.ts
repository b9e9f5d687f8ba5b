import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { json, pollingOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { confluence } from './index.js';

const credential = { type: 'CUSTOM_AUTH', props: { site: 'acme', email: 'a', apiToken: 'canary' } } as const;

async function poll(name: string, input: JsonObject, reply: (request: Recorded) => Reply, cursor?: JsonValue) {
  const { output, asked } = await runTrigger({ piece: confluence, credential, reply }, input, (context) =>
    pollingOf(confluence, name).poll({ ...context, cursor }),
  );
  return { ...output, asked };
}

const item = (id: string, minute: number, number = 1) => {
  const createdAt = `2026-01-31T09:0${minute}:00.000Z`;
  return { id, title: id, createdAt, version: { number, createdAt }, body: { storage: { value: `<p>${id}</p>` } } };
};

it.each([
  ['page_created', { space: '5' }, '/wiki/api/v2/pages?space-id=5&sort=-created-date&limit=50', 'b'],
  ['page_created', {}, '/wiki/api/v2/pages?sort=-created-date&limit=50', 'b'],
  ['page_updated', { space: '5' }, '/wiki/api/v2/pages?space-id=5&sort=-modified-date&limit=50', 'b 1'],
  ['comment_created', {}, '/wiki/api/v2/footer-comments?sort=-created-date&body-format=storage&limit=50', 'b'],
] as [string, JsonObject, string, string][])('%s returns each item once: %j', async (name, input, url, id) => {
  const first = await poll(name, input, () => json({ results: [item('a', 1)] }));
  expect([first.events, first.asked]).toEqual([[], [`GET ${url}`]]);
  const next = await poll(name, input, () => json({ results: [item('b', 2), item('a', 1)] }), first.cursor);
  expect(next.events.map((event) => event.id)).toEqual([id]);
  expect(next.events[0]?.data).toMatchObject({ id: 'b', content: '<p>b</p>' });
});

it('comment_created returns no comment that is only changed, and a new one that is changed at once', async () => {
  const first = await poll('comment_created', {}, () => json({ results: [item('b', 2), item('a', 1)] }));
  const created = (minute: number) => ({ number: 1, authorId: 'u1', createdAt: `2026-01-31T09:0${minute}:00.000Z` });
  const reply = ({ url }: Recorded): Reply => {
    if (url.endsWith('/a/versions/1')) return json(created(1));
    if (url.endsWith('/c/versions/1')) return json(created(4));
    return json({ results: [item('c', 7, 2), item('b', 2), item('a', 6, 3)] });
  };
  const next = await poll('comment_created', {}, reply, first.cursor);
  expect(next.events.map(({ id, data }) => [id, data['createdAt'], data['authorId']])).toEqual([
    ['c', '2026-01-31T09:04:00.000Z', 'u1'],
  ]);
  expect(next.cursor).toEqual({ time: '2026-01-31T09:04:00.000Z', ids: ['c'] });
  const again = await poll('comment_created', {}, reply, next.cursor);
  expect(again.events).toEqual([]);
});

it('comment_created omits a changed comment without its first version, and fails if Confluence does', async () => {
  const first = await poll('comment_created', {}, () => json({ results: [item('b', 1), item('a', 1)] }));
  const replying =
    (status: number) =>
    ({ url }: Recorded): Reply =>
      url.includes('/versions/')
        ? json({ message: 'x' }, status)
        : json({ results: [item('c', 3), item('old', 4, 2)] });
  const next = await poll('comment_created', {}, replying(404), first.cursor);
  expect(next.events.map(({ id }) => id)).toEqual(['c']);
  expect(next.cursor).toEqual({ time: '2026-01-31T09:03:00.000Z', ids: ['c'] });
  await expect(poll('comment_created', {}, replying(500), first.cursor)).rejects.toMatchObject({ status: 500 });
});

it.each(['page_created', 'page_updated', 'comment_created'])('%s finds items of further pages', async (name) => {
  const first = await poll(name, {}, () => json({ results: [item('a', 1)] }));
  const pages = ({ url }: Recorded): Reply =>
    url.includes('cursor=c2')
      ? json({ results: [item('b', 2), item('a', 1)] })
      : json({ results: [item('d', 3), item('c', 3)], _links: { next: '/wiki/api/v2/x?cursor=c2' } });
  const next = await poll(name, {}, pages, first.cursor);
  expect(next.events.map(({ id }) => id.slice(0, 1))).toEqual(['b', 'c', 'd']);
  const same = await poll(name, {}, () => json({ results: [item('e', 3), item('d', 3), item('c', 3)] }), next.cursor);
  expect(same.events.map(({ id }) => id.slice(0, 1))).toEqual(['e']);
});

it('page_created returns no page that is only changed', async () => {
  const first = await poll('page_created', {}, () => json({ results: [item('a', 1)] }));
  const changed = { ...item('a', 1), version: { number: 2, createdAt: '2026-01-31T09:05:00.000Z' } };
  const next = await poll('page_created', {}, () => json({ results: [changed] }), first.cursor);
  expect(next.events).toEqual([]);
});

it('page_updated returns each version', async () => {
  const first = await poll('page_updated', {}, () => json({ results: [item('a', 1)] }));
  const next = await poll('page_updated', {}, () => json({ results: [item('a', 2, 2)] }), first.cursor);
  expect(next.events.map(({ id }) => id)).toEqual(['a 2']);
});
