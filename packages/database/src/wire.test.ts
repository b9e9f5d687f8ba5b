import { masked, toWire } from './wire.js';

describe('a row on the wire', () => {
  it('has dates as ISO 8601 text and null as absent', () => {
    const row = {
      id: 'w_1',
      total: 0,
      open: false,
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
      suspendedAt: null,
    };
    expect(toWire(row)).toStrictEqual({
      id: 'w_1',
      total: 0,
      open: false,
      createdAt: '2026-01-02T03:04:05.678Z',
      suspendedAt: undefined,
    });
  });

  it('keeps JSON as it is, the nulls in it too', () => {
    expect(toWire({ settings: { base: null, list: [1] } })).toStrictEqual({ settings: { base: null, list: [1] } });
  });
});

describe('the masked fields of a PATCH', () => {
  it.each([
    ['a given one is written', { name: 'a' }, ['name'], { name: 'a' }],
    ['an absent one is reset', { name: undefined }, ['name'], { name: null }],
    [
      'what is falsy is a value',
      { open: false, total: 0, text: '' },
      ['open', 'total', 'text'],
      { open: false, total: 0, text: '' },
    ],
    ['what is not masked stays', { name: 'a', slug: 'b' }, ['slug'], { slug: 'b' }],
    ['an empty mask writes nothing', { name: 'a' }, [], {}],
  ])('%s', (_, changes, mask, columns) => {
    expect(masked(changes, mask)).toStrictEqual(columns);
  });
});
