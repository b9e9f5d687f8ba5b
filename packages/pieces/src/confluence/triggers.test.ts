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

it('page_updated returns each version', async () => {
  const first = await poll('page_updated', {}, () => json({ results: [item('a', 1)] }));
  const next = await poll('page_updated', {}, () => json({ results: [item('a', 2, 2)] }), first.cursor);
  expect(next.events.map(({ id }) => id)).toEqual(['a 2']);
});
