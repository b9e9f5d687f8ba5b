import { newId } from '@drawbridge/contracts';
import { StateError } from '@drawbridge/piece-kit';
import fc from 'fast-check';
import { QUOTA } from './count-space.js';
import { purgeState } from './purge-state.js';
import {
  aside,
  database,
  entriesOf,
  keysOf,
  neighbours,
  newPlace,
  open,
  place,
  put,
  query,
  totalOf,
} from '../testing/spaces.js';

/** Moves the expiry into the past. Subtracts a millisecond, because times are rounded to milliseconds and the current millisecond may not be over. */
const EXPIRE = `UPDATE execution.state_entries SET expires_at = now() - interval '1 ms' WHERE org_id = $1`;

it('separates the spaces for every operation', async () => {
  const operation = fc.record({
    space: fc.nat(7),
    key: fc.constantFrom('a', 'b', 'a/b', 'A'),
    what: fc.constantFrom('put', 'put', 'add up', 'delete', 'clear'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      newPlace();
      const spaces = neighbours().map((space) => ({ state: open(space), expected: new Map<string, number>() }));
      for (const { space, key, what } of operations) {
        const { state, expected } = spaces[space]!;
        if (what === 'delete') expect(await state.delete(key)).toBe(expected.delete(key));
        if (what === 'clear') expect(await state.clear()).toBe(expected.size);
        if (what === 'clear') expected.clear();
        if (what === 'delete' || what === 'clear') continue;
        const changed = (old: unknown): number => (what === 'put' ? space : Number(old ?? 0) + 1);
        await state.update(key, (entry) => ({ value: changed(entry?.value) }));
        expected.set(key, changed(expected.get(key)));
      }
      for (const { state, expected } of spaces) {
        const { entries } = await state.list({ order: 'key', limit: 100, values: true });
        expect(new Map(entries.map(({ key, value }) => [key, value]))).toEqual(expected);
      }
    }),
    { numRuns: 15 },
  );
});

it('does not find by its id what is in a workspace of another organization', async () => {
  await put(open(), 'a', 1);
  const thief = open({ orgId: newId() });
  expect(await thief.get('a')).toBeUndefined();
  expect(await keysOf(thief)).toEqual([]);
  await expect(put(thief, 'a', 2)).rejects.toBeInstanceOf(StateError);
  expect(await thief.clear()).toBe(0);
  expect(await open().get('a')).toMatchObject({ value: 1 });
});

it('counts each of many that change a key at once, also where the space is not there yet', async () => {
  const states = [open(), open(), open()];
  const changes = Array.from({ length: 30 }, (_, n) =>
    states[n % 3]!.update('n', (old) => ({ value: Number(old?.value ?? 0) + 1 })),
  );
  await Promise.all(changes);
  expect(await open().get('n')).toMatchObject({ value: 30 });
});

it('keeps all of several updates, or none where one fails', async () => {
  const state = open();
  const both = (fails: boolean) =>
    state.together(async (update) => {
      const { value } = await update('n', (old) => ({ value: Number(old?.value ?? 0) + 1 }));
      return update(`entry ${Number(value)}`, () => {
        if (fails) throw new Error('The second');
        return { value: value ?? null };
      });
    });
  await both(false);
  await expect(both(true)).rejects.toThrow('The second');
  expect(await both(false)).toMatchObject({ key: 'entry 2' });
  expect(await keysOf(state)).toEqual(['entry 1', 'entry 2', 'n']);
});

it('stores entries in the order of the responses', async () => {
  const added = [];
  for (let n = 0; n < 5; n += 1) added.push((await open().add({ value: n })).key);
  const page = await open().list({ order: 'oldest', limit: 3, values: true });
  expect(page.entries.map(({ value }) => value)).toEqual([0, 1, 2]);
  const rest = await open().list({ order: 'oldest', limit: 3, after: page.next, values: false });
  expect(rest.entries.map(({ key }) => key)).toEqual(added.slice(3));
  expect(rest.next).toBeUndefined();
  const newest = await open().list({ order: 'newest', limit: 1, values: true });
  expect(newest.entries).toMatchObject([{ value: 4 }]);
});

it('lists keys by their bytes, a prefix, and page by page', async () => {
  for (const key of ['b', 'a%', 'a_', 'B', 'aä', 'a']) await put(open(), key, 1);
  expect(await keysOf(open())).toEqual(['B', 'a', 'a%', 'a_', 'aä', 'b']);
  const page = await open().list({ order: 'key', prefix: 'a', limit: 2, values: false });
  expect(page).toMatchObject({ entries: [{ key: 'a' }, { key: 'a%' }], next: 'a%' });
  const rest = await open().list({ order: 'key', prefix: 'a', after: page.next, limit: 9, values: false });
  expect(rest.entries.map(({ key }) => key)).toEqual(['a_', 'aä']);
});

it('finds what has all words, in any case, and nothing by their marks', async () => {
  await open().update('1', () => ({ value: 1, text: 'Ann likes tea, and rain' }));
  await open().update('2', () => ({ value: 2, text: 'Bob likes rain' }));
  const found = async (words: string) =>
    (await open().list({ words, order: 'newest', limit: 9, values: true })).entries.map(({ value }) => value);
  expect(await found('LIKES rain')).toEqual([2, 1]);
  expect(await found('tea rain')).toEqual([1]);
  expect(await found("rain | tea & ' :* !")).toEqual([1]);
  expect(await found('!')).toEqual([]);
  await open().update('3', () => ({ value: 3, text: 'Cai wrote <script>, </b> and <tags of="snow"> and hail' }));
  for (const words of ['hail', 'script', '<script>', 'of snow']) expect(await found(words)).toEqual([3]);
});

it('finds words inside URLs and addresses, without accents and spaces, and what was stored before', async () => {
  const texts = {
    url: 'https://docs.example.com/set-up/guide',
    mail: 'ann@mail.example',
    café: 'Café',
    東京: '東京都の天気',
  };
  for (const [key, text] of Object.entries(texts)) await open().update(key, () => ({ value: 1, text }));
  const found = async (words: string) =>
    (await open().list({ words, order: 'newest', limit: 9, values: false })).entries.map(({ key }) => key);
  expect(await found('guide')).toEqual(['url']);
  expect(await found('ann')).toEqual(['mail']);
  expect(await found('example')).toEqual(['mail', 'url']);
  expect(await found('cafe')).toEqual(['café']);
  expect(await found('天気')).toEqual(['東京']);
  const parsed = `UPDATE execution.state_entries SET words = to_tsvector('simple', 'https://old.example/x it''s')
    WHERE org_id = $1 AND key = 'url'`;
  await query(parsed, [place.orgId]);
  expect(await found('https://old.example/x')).toEqual(['url']);
});

it('hides expired entries and deletes them later', async () => {
  await open().update('a', () => ({ value: 1, expires: { inSeconds: 60 } }));
  const { expiresAt } = await open().update('a', (old) => ({ value: Number(old?.value) + 1, expires: 'keep' }));
  expect(Date.parse(expiresAt!)).toBeGreaterThan(Date.now());
  await query(EXPIRE, [place.orgId]);
  expect(await open().get('a')).toBeUndefined();
  expect(await keysOf(open())).toEqual([]);
  expect(await open().delete('a')).toBe(false);
  await open().update('b', (old) => ({ value: old === undefined ? 1 : 2, expires: { inSeconds: 60 } }));
  await query(EXPIRE, [place.orgId]);
  await purgeState({ pool: database.pool, aside });
  expect(await entriesOf(place.orgId)).toBe(0);
  expect(await totalOf(place.orgId)).toBe(0);
});

it('counts a value that is written after its expiry as added at that time', async () => {
  for (const key of ['a', 'b']) await open().update(key, () => ({ value: key, expires: { inSeconds: 60 } }));
  await query(`${EXPIRE} AND key = 'a'`, [place.orgId]);
  for (const key of ['b', 'a']) await put(open(), key, 1);
  const { entries } = await open().list({ order: 'oldest', limit: 9, values: false });
  expect(entries.map(({ key }) => key)).toEqual(['b', 'a']);
});

it('stores no row for an owner without entries', async () => {
  expect(await open().delete('a')).toBe(false);
  expect(await open().clear()).toBe(0);
  expect((await query('SELECT FROM execution.state_spaces WHERE org_id = $1', [place.orgId])).rowCount).toBe(0);
});

describe('the quota', () => {
  it('limits the entries of a space, and still allows to replace and delete at the limit', async () => {
    await put(open(), 'first', 1);
    await query(
      `INSERT INTO execution.state_entries (org_id, space_id, integration, key, seq, value, note, bytes, created_at)
       SELECT $1, id, 'storage', 'k-' || n, n, '1', '{}', 1, now()
       FROM execution.state_spaces, generate_series(2, $2::int) AS n WHERE org_id = $1`,
      [place.orgId, QUOTA.entries],
    );
    await expect(put(open(), 'one more', 1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await open().get('one more')).toBeUndefined();
    await put(open(), 'first', 2);
    await put(open({ owner: 'v' }), 'of another', 1);
    expect(await open().delete('first')).toBe(true);
    const racing = await Promise.allSettled(['x', 'y', 'z'].map((key) => put(open(), key, 1)));
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await query(`${EXPIRE} AND key = 'k-2'`, [place.orgId]);
    await put(open(), 'in the place of what expired', 1);
  });

  it.each([
    ['of a space', QUOTA.bytes, 'u'],
    ['of an organization', QUOTA.organizationBytes, 'v'],
  ])('is of bytes, too: %s', async (_what, bytes, owner) => {
    await put(open(), 'a', 1);
    const table = owner === 'u' ? 'state_entries' : 'state_totals';
    await query(`UPDATE execution.${table} SET bytes = $2 WHERE org_id = $1`, [place.orgId, bytes]);
    await expect(put(open({ owner }), 'b', 1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });
});
