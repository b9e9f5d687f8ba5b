import { arrayParameter, columnsOf, type ElementType } from './array-parameters.js';
import { pool } from './fixtures/outbox.js';

const IDS = [
  '00000000-0000-0000-0000-000000000000',
  '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0123',
  'FFFFFFFF-ffff-ffff-FFFF-ffffffffffff',
];

/** Values of each type, which must arrive as those that pg encodes as text. */
const VALUES: [ElementType, unknown[]][] = [
  [
    'text',
    [
      '',
      'a',
      'NULL',
      '{"a": "\\\\"}',
      `'"\\`,
      'é🏰',
      '\u{10ffff}',
      ' \n\t',
      '\ud800',
      'x'.repeat(70_000),
      null,
      undefined,
    ],
  ],
  ['uuid', [...IDS, null, undefined]],
  ['int', [0, -1, 2_147_483_647, -2_147_483_648, null]],
  ['bigint', [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]],
  ['float8', [0, 1.5, -1e300, 5e-324, Infinity, NaN, null]],
  ['boolean', [true, false, null]],
  ['bytea', [Buffer.alloc(0), Buffer.from([0, 1, 255]), new Uint8Array([7, 8]).subarray(1), null]],
  ['timestamptz', ['2026-11-30T10:20:30.123Z', '1969-12-31T23:59:59.999Z', '9999-12-31T00:00:00Z', null]],
];

describe.each(VALUES)('an array of %s', (type, values) => {
  it('arrives as pg would send it', async () => {
    const { rows } = await pool.query<{ ours: unknown; theirs: unknown }>(
      `SELECT $1::${type}[]::text AS ours, $2::${type}[]::text AS theirs`,
      [arrayParameter(type, values), values],
    );
    expect(rows[0]!.ours).toBe(rows[0]!.theirs);
  });

  it.each([[[]], [[null]], [[undefined, null]]])('arrives without values: %j', async (given) => {
    const { rows } = await pool.query<{ array: unknown[] }>(`SELECT $1::${type}[] AS array`, [
      arrayParameter(type, given),
    ]);
    expect(rows[0]!.array).toEqual(given.map(() => null));
  });

  it('has rows in their order', async () => {
    const rows = values.map((value, at) => [at, value]);
    const found = await pool.query<{ at: number; isSame: boolean }>(
      `SELECT row.at, value IS NOT DISTINCT FROM ($3::${type}[])[row.at + 1] AS "isSame"
       FROM unnest($1::int[], $2::${type}[]) AS row (at, value)`,
      [...columnsOf(rows, ['int', type]), values],
    );
    expect(found.rows).toEqual(values.map((_, at) => ({ at, isSame: true })));
  });
});

it.each<[ElementType, unknown]>([
  ['text', 1],
  ['text', {}],
  ['uuid', 'no id'],
  ['uuid', ''],
  ['uuid', `${IDS[0]}0`],
  ['uuid', IDS[1]!.replace('b', 'g')],
  ['uuid', `${IDS[0]}g`],
  ['uuid', `${IDS[0]}é`],
  ['uuid', IDS[1]!.replace('b', 'é')],
  ['uuid', `0-${IDS[1]!.slice(1)}`],
  ['uuid', `{${IDS[1]!}}`],
  ['uuid', IDS[1]!.slice(1)],
  ['uuid', 7],
  ['int', 1.5],
  ['int', 2 ** 31],
  ['int', '1'],
  ['float8', '1'],
  ['bigint', 1.5],
  ['bigint', ''],
  ['bigint', true],
  ['bigint', 2 ** 63],
  ['boolean', 'true'],
  ['bytea', 'text'],
  ['bytea', new DataView(new ArrayBuffer(4))],
  ['bytea', new Uint16Array(2)],
  ['timestamptz', 'yesterday'],
  ['timestamptz', '2026-02-30T00:00:00.000Z'],
  ['timestamptz', '2026-11-30T00:00:00.123456Z'],
  ['timestamptz', '2026-11-30T00:00:00.000'],
  ['timestamptz', '2026-11-30T24:00:00.000Z'],
  ['timestamptz', 2026],
  ['timestamptz', new Date(0)],
])('rejects, as %s, the value %j', (type, value) => {
  expect(() => arrayParameter(type, [value])).toThrow();
});

it('sends no array to a column of another type', async () => {
  const query = pool.query('SELECT $1::uuid[]', [arrayParameter('text', ['a'])]);
  await expect(query).rejects.toThrow('binary data has array element type 25 (text) instead of expected 2950 (uuid)');
});

it('leaves text that PostgreSQL cannot store to PostgreSQL', async () => {
  const query = pool.query('SELECT $1::text[]', [arrayParameter('text', ['a\0b'])]);
  await expect(query).rejects.toMatchObject({ code: '22021' });
});

it.each(['a', 'é', '"', '\\', '🏰', '\ud800'])('costs time in proportion to texts of %j', (piece) => {
  const timeOf = (length: number): number => {
    const texts = Array.from({ length: 8 }, () => piece.repeat(length / 8));
    const once = (): number => {
      const before = process.cpuUsage();
      for (let round = 0; round < 8; round++) arrayParameter('text', texts);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    return Math.max(1, Math.min(...Array.from({ length: 3 }, once)));
  };
  // The input is 16 times as long. Quadratic work would take 256 times as long in each attempt. Other processes slow down single attempts.
  timeOf(450_000);
  const ratios = Array.from({ length: 5 }, () => timeOf(450_000) / timeOf(28_125));
  expect(Math.min(...ratios)).toBeLessThan(100);
});
