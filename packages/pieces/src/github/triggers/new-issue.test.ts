import { readFileSync } from 'node:fs';
import { openPiece, type JsonValue } from '@drawbridge/piece-kit';
import { checkRequest } from '../../../testing/check-request.js';
import { json } from '../../../testing/run-piece.js';
import { startThirdParty } from '../../../testing/third-party.js';
import { github } from '../index.js';
import { newIssue } from './new-issue.js';

const description = JSON.parse(readFileSync(new URL('../github.fixture.json', import.meta.url), 'utf8'));

/** Returns an issue or a pull request that was created at this second. */
const made = (number: number, second: number, isPull = false) => ({
  ...{ id: 100 + number, number, created_at: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z` },
  ...(isPull && { pull_request: {} }),
});
type Item = ReturnType<typeof made>;

/** Polls a fake GitHub list, newest first, with pages of `size`. Calls `grow` after each page. */
async function poll(list: Item[], cursor?: JsonValue, { size = 100, grow = () => {} } = {}) {
  const { received, send, close } = await startThirdParty(({ url }) => {
    const asked = new URL(url, 'https://api.github.com');
    const page = Number(asked.searchParams.get('page') ?? 1);
    const answer = list.slice((page - 1) * size, page * size);
    asked.searchParams.set('page', String(page + 1));
    const link = `<${asked.href}>; rel="next"`;
    const reply = json(answer, 200, page * size < list.length ? { link } : {});
    grow();
    return reply;
  });
  const context = { http: openPiece(github, { send }), auth: undefined, signal: undefined };
  const polled = await newIssue.poll({ ...context, input: { repo: 'octocat/hello-world' }, cursor }).finally(close);
  expect(received.flatMap((request) => checkRequest(description, request))).toEqual([]);
  return { ...polled, numbers: polled.events.map(({ data }) => data['number']), asked: received.length };
}

it('stores the start position at the first poll and delivers nothing', async () => {
  const first = await poll([made(2, 5), made(1, 4)]);
  expect(first).toMatchObject({ events: [], cursor: { at: '2026-01-01T00:00:05Z', ids: [102] } });
  const none = await poll([]);
  expect((await poll([made(1, 4)], none.cursor)).numbers).toEqual([1]);
});

it('delivers each issue once, oldest first, with a stable id', async () => {
  const { cursor } = await poll([made(1, 4)]);
  const next = await poll([made(3, 6), made(2, 5), made(1, 4)], cursor);
  expect(next.events.map(({ id }) => id)).toEqual(['102', '103']);
  expect((await poll([made(3, 6), made(2, 5), made(1, 4)], next.cursor)).events).toEqual([]);
  expect(await poll([made(3, 6), made(2, 5), made(1, 4)], cursor)).toEqual(next); // Repeats the same poll, as after a crash.
});

it('loses no issue of the same second, in any order', async () => {
  const first = await poll([made(2, 5), made(1, 4)]);
  const second = await poll([made(2, 5), made(3, 5), made(1, 4)], first.cursor);
  const third = await poll([made(2, 5), made(4, 5), made(3, 5), made(1, 4)], second.cursor);
  expect([second.numbers, third.numbers]).toEqual([[3], [4]]);
  expect((await poll([made(5, 6), made(4, 5), made(3, 5), made(2, 5)], third.cursor)).numbers).toEqual([5]);
});

it('skips all issues of the newest second at the first poll', async () => {
  const list = [made(3, 5), made(2, 5), made(1, 4)];
  const first = await poll(list, undefined, { size: 1 });
  expect(first.asked).toBe(3);
  expect((await poll(list, first.cursor)).events).toEqual([]);
});

it('skips pull requests and continues after them', async () => {
  const { cursor } = await poll([made(1, 4)]);
  const next = await poll([made(4, 7, true), made(3, 6), made(2, 5, true), made(1, 4)], cursor);
  expect(next.numbers).toEqual([3]);
  expect((await poll([made(5, 7), made(4, 7, true), made(3, 6)], next.cursor)).numbers).toEqual([5]);
});

it('reads further pages while new issues shift others to the next page', async () => {
  const { cursor } = await poll([made(1, 1)]);
  const list = [4, 3, 2, 1].map((number) => made(number, number));
  let number = 4;
  const grow = () => void list.unshift(made(++number, number));
  const next = await poll(list, cursor, { size: 2, grow });
  expect(next.numbers).toEqual([2, 3, 4]);
  const left = await poll(list, next.cursor);
  expect(left.numbers).toEqual(
    list
      .map((issue) => issue.number)
      .filter((one) => one > 4)
      .reverse(),
  );
});

it('requests one page if one is enough', async () => {
  const { cursor } = await poll([made(1, 1)]);
  const list = [5, 4, 3, 2, 1].map((number) => made(number, number));
  expect(await poll(list, cursor, { size: 5 })).toMatchObject({ numbers: [2, 3, 4, 5], asked: 1 });
  const { cursor: seen } = await poll(list);
  expect((await poll([made(6, 6), ...list], seen, { size: 3 })).asked).toBe(1);
});

it('continues after the last delivered issue was deleted', async () => {
  const { cursor } = await poll([made(2, 5), made(1, 4)]);
  expect((await poll([made(3, 6), made(1, 4)], cursor)).numbers).toEqual([3]);
});

it('loses no issue that a deletion shifts to a page already read', async () => {
  const { cursor } = await poll([made(1, 1)]);
  const list = Array.from({ length: 150 }, (_, index) => made(200 - index, 5));
  let pages = 0;
  const grow = () => void (++pages === 1 && list.shift());
  const next = await poll(list, cursor, { grow });
  expect(next.numbers).toEqual(Array.from({ length: 150 }, (_, index) => 51 + index));
});

it('delivers issues beyond the limit of one poll in the next poll, also within one second', async () => {
  const { cursor } = await poll([made(1, 4)]);
  const large = (number: number, isPull = false) => ({ ...made(number, 5, isPull), body: 'x'.repeat(1_500_000) });
  const list = [large(6), large(5), large(4, true), large(3), large(2), made(1, 4)];
  const first = await poll(list, cursor);
  const second = await poll([made(7, 6), ...list], first.cursor);
  expect([first.numbers, second.numbers]).toEqual([
    [2, 3],
    [5, 6, 7],
  ]);
});
