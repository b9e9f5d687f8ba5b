import { judgeDelivery } from './judge-delivery.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;

describe('judgeDelivery', () => {
  it.each([200, 201, 202, 204, 299])('takes %i for delivered', (status) => {
    expect(judgeDelivery({ status, headers: {} })).toEqual({
      result: 'delivered',
      httpStatus: status,
      errorMessage: null,
      retryAfterMs: 0,
    });
  });

  it.each([301, 302, 303, 304, 307, 308, 400, 401, 404, 408, 409, 429, 500, 502, 503, 599])(
    'takes %i for failed',
    (status) => {
      expect(judgeDelivery({ status, headers: { location: 'https://example.com' } })).toEqual({
        result: 'failed',
        httpStatus: status,
        errorMessage: `The receiver answered ${status}`,
        retryAfterMs: 0,
      });
    },
  );

  it('takes 410 for the end of the delivery', () => {
    expect(judgeDelivery({ status: 410, headers: {} })).toMatchObject({ result: 'gone', httpStatus: 410 });
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['86400', 24 * HOUR_MS],
    ['86401', 24 * HOUR_MS],
    ['9'.repeat(400), 24 * HOUR_MS],
    ['Thu, 01 Jan 2026 02:00:00 GMT', 2 * HOUR_MS],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 24 * HOUR_MS],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
  ])('reads Retry-After %j as %i ms', (text, expected) => {
    const verdict = judgeDelivery({ status: 503, headers: { 'retry-after': text } }, NOW);
    expect(verdict.retryAfterMs).toBe(expected);
  });
});
