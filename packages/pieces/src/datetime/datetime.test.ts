import { InputError, runAction, type JsonObject, type Send } from '@drawbridge/piece-kit';
import { datetime } from './index.js';

const send: Send = async () => {
  throw new Error('This piece has no business on the network');
};
const run = (name: string, input: JsonObject) => runAction(datetime, name, { input, send });

it('returns the current time', async () => {
  const before = Math.floor(Date.now() / 1000);
  const { unix, timezone } = await run('now', { timezone: 'Asia/Tokyo' });
  expect(timezone).toBe('Asia/Tokyo');
  expect(unix).toBeGreaterThanOrEqual(before);
  expect(unix).toBeLessThanOrEqual(Date.now() / 1000);
});

it('converts a date to another zone with all its fields', async () => {
  expect(await run('convert', { date: '2026-03-29T00:30:00Z', timezone: 'Europe/Berlin' })).toEqual({
    iso: '2026-03-29T01:30:00.000+01:00',
    utc: '2026-03-29T00:30:00.000Z',
    unix: 1774744200,
    timezone: 'Europe/Berlin',
    ...{ year: 2026, month: 3, day: 29, weekday: 7, hour: 1, minute: 30, second: 0 },
  });
});

it.each([
  [{ date: '2026-11-05T17:05:09Z', format: 'yyyy-MM-dd HH:mm:ss' }, '2026-11-05 17:05:09'],
  [{ date: '2026-11-05T17:05:09Z', format: 'd. MMMM yyyy', locale: 'de-DE' }, '5. November 2026'],
  [{ date: '2026-11-05T23:30:00Z', format: "cccc 'the' d", timezone: 'Asia/Tokyo' }, 'Friday the 6'],
])('formats %j', async (input, result) => {
  expect(await run('format', input)).toEqual({ result });
});

it.each([
  [{ text: '05/11/2026', format: 'dd/MM/yyyy', timezone: 'America/New_York' }, '2026-11-05T00:00:00.000-05:00'],
  [{ text: '2026-11-05 10:00 +02:00', format: 'yyyy-MM-dd HH:mm ZZ' }, '2026-11-05T08:00:00.000Z'],
  [{ text: '5. März 2026', format: 'd. MMMM yyyy', locale: 'de-DE' }, '2026-03-05T00:00:00.000Z'],
])('parses %j', async (input, iso) => {
  expect(await run('parse', input)).toMatchObject({ iso });
});

const BEFORE_SUMMER = '2026-03-28T12:00:00+01:00';

it.each<[JsonObject, string]>([
  [{ date: '2026-01-31T00:00:00Z', months: 1 }, '2026-02-28T00:00:00.000Z'],
  [{ date: BEFORE_SUMMER, days: 1, timezone: 'Europe/Berlin' }, '2026-03-29T12:00:00.000+02:00'],
  [{ date: BEFORE_SUMMER, hours: 24, timezone: 'Europe/Berlin' }, '2026-03-29T13:00:00.000+02:00'],
  [{ date: '2026-01-01T00:00:00Z', weeks: -1, seconds: 5 }, '2025-12-25T00:00:05.000Z'],
  [{ date: '2026-01-01T00:00:00Z' }, '2026-01-01T00:00:00.000Z'],
])('adds %j', async (input, iso) => {
  expect(await run('add', input)).toMatchObject({ iso });
});

it.each([
  ['hours', undefined, 23],
  ['days', 'Europe/Berlin', 1],
  ['milliseconds', undefined, 82_800_000],
])('returns a difference in %s', async (unit, timezone, result) => {
  const to = '2026-03-29T12:00:00+02:00';
  const input = { from: BEFORE_SUMMER, to, unit, ...(timezone && { timezone }) };
  expect(await run('difference', input)).toEqual({ result });
});

it.each<[string, JsonObject, string, RegExp]>([
  ['convert', { date: '2026-02-30T00:00:00Z' }, 'date', /not a valid date/],
  ['convert', { date: '2026-01-01T00:00:00Z', timezone: 'Mars/Base' }, 'timezone', /IANA/],
  ['format', { date: '2026-01-01T00:00:00Z', format: 'yyyy', locale: 'x_y' }, 'locale', /BCP 47/],
  ['parse', { text: 'soon', format: 'yyyy' }, 'text', /not a date in the format yyyy/],
  ['parse', { text: `${'1'.repeat(99)}!`, format: 'dM'.repeat(33) }, 'format', /ambiguous/],
  ['add', { date: '2026-01-01T00:00:00Z', years: 1_000_000 }, 'date', /0 to 9999/],
  ['difference', { from: '2026-01-01T00:00:00Z', to: '2026-13-01T00:00:00Z', unit: 'days' }, 'to', /not a valid date/],
])('refuses %s of %j', async (name, input, property, message) => {
  const refusal = await run(name, input).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InputError);
  expect(refusal).toMatchObject({ property, message: expect.stringMatching(message) });
});
