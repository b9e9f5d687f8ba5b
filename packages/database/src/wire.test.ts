import { toWire } from './wire.js';

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

  it('leaves JSON unchanged, including nulls', () => {
    expect(toWire({ settings: { base: null, list: [1] } })).toStrictEqual({ settings: { base: null, list: [1] } });
  });
});
