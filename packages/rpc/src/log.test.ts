import { terminalLine } from './log.js';

const base = { level: 'info', time: '2026-01-01T00:00:00.000Z', service: 'gateway' };

describe('a log line on a terminal', () => {
  it.each([
    [
      'a request',
      {
        msg: 'request',
        method: 'POST',
        route: '/api/v1/workspaces',
        status: 201,
        durationMs: 12,
        requestId: 'r1',
        orgId: 'o1',
      },
      'POST /api/v1/workspaces 201 12 ms',
    ],
    [
      'a request that failed here, with what finds it in the log',
      { msg: 'request', method: 'GET', route: 'none', status: 503, durationMs: 3, requestId: 'r1' },
      'GET (no route) 503 3 ms  requestId=r1',
    ],
    ['a message alone', { msg: 'stopped' }, 'stopped'],
    [
      'a message and its fields',
      { msg: 'listening', address: '::1', port: 80, orgId: undefined },
      'listening  address=::1  port=80',
    ],
    [
      'an error of ours and its frames',
      {
        level: 'error',
        msg: 'unexpected error',
        call: 'a/b',
        error: { name: 'TypeError', code: undefined, frames: '    at x\n    at y' },
      },
      'unexpected error  call=a/b  error=TypeError\n    at x\n    at y',
    ],
    [
      'an outage without them',
      { level: 'warn', msg: 'away', error: { name: 'Error', code: 'ECONNREFUSED', frames: '    at x' } },
      'away  error=Error ECONNREFUSED',
    ],
  ])('is one line: %s', (_what, line, text) => {
    expect(terminalLine({ ...base, ...line })).toBe(text);
  });
});
