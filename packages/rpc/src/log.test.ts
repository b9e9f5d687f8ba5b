import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
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

describe('log lines', () => {
  /** Starts a program that has two loggers, `one` and `two`. */
  function start(program: string): ChildProcessByStdio<null, Readable, null> {
    const module = pathToFileURL(join(import.meta.dirname, '../dist/log.js')).href;
    const loggers = `const { createLogger } = await import('${module}');
      const one = createLogger('one', 'info'), two = createLogger('two', 'info');`;
    const args = ['--input-type=module', '-e', loggers + program];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** Runs a program and returns the pieces in which its output arrives, and its exit code. */
  async function run(program: string): Promise<{ pieces: string[]; code: number }> {
    const child = start(program);
    const pieces: string[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { pieces, code };
  }

  const messagesOf = (pieces: string[]): string[] =>
    pieces
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { msg: string }).msg);

  it('are written together, in the order of their calls', async () => {
    const { pieces } = await run(`for (let i = 0; i < 8; i++) (i % 2 ? one : two).info({ count: i }, 'line ' + i);
      await new Promise((done) => setTimeout(done, 200));`);
    expect(messagesOf(pieces)).toEqual(Array.from({ length: 8 }, (_, i) => `line ${i}`));
    expect(pieces).toHaveLength(1);
  });

  it.each([
    ['that exits', 'process.exit(3)', 3],
    [
      'that throws',
      'setImmediate(() => { throw new Error() }); process.on("uncaughtException", () => process.exit(4))',
      4,
    ],
    ['that ends', '', 0],
  ])('are complete in a process %s', async (_, end, code) => {
    const result = await run(`for (let i = 0; i < 100; i++) one.info({ count: i }, 'line ' + i); ${end}`);
    expect(messagesOf(result.pieces)).toHaveLength(100);
    expect(result.code).toBe(code);
  });

  it('do not end a process that lost the reader of its output', async () => {
    const child = start(`one.info('first'); setTimeout(() => two.info('second'), 100); setTimeout(() => {}, 200);`);
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
