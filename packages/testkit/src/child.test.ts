import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, freePort, type Running, startChild, startChildren } from './child.js';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-child-'));
afterAll(() => rmSync(folder, { recursive: true }));

const commandOf = (name: string, script: string): Command => {
  return { name, command: [process.execPath, '-e', script], env: {}, readyWhen: /port (\d+)/ };
};
const run = (name: string, script: string): Promise<Running> => startChild(commandOf(name, script), folder);

it('waits for the line that says it is ready, and keeps all output', async () => {
  const child = await run('works', 'console.error("first"); console.log("port 7"); setInterval(() => {}, 1e6)');
  expect(child.ready[1]).toBe('7');
  expect(readFileSync(join(folder, 'works.log'), 'utf8')).toBe('first\nport 7\n');
  expect(await child.end('SIGKILL')).toBeNull();
});

it('takes no readiness from the output of an earlier start', async () => {
  await (
    await run('again', 'console.log("port 1")')
  ).exited;
  await expect(run('again', 'console.log("nothing")')).rejects.toThrow('again ended before it was ready:\nnothing');
});

it('answers the exit code of an orderly end', async () => {
  const child = await run(
    'orderly',
    'process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1e6); console.log("port 1")',
  );
  expect(await child.end('SIGTERM')).toBe(3);
});

it('leaves none of several behind when one of them cannot be started', async () => {
  const slow = `
    console.log('pid', process.pid);
    const ready = () => require('fs').existsSync('${join(folder, 'broken.log')}') && console.log('port 1');
    setInterval(ready, 100)`;
  const several = [commandOf('slow', slow), commandOf('broken', 'process.exit(1)')];
  await expect(startChildren(several, folder)).rejects.toThrow('broken ended before it was ready');
  const [, pid] = /pid (\d+)/.exec(readFileSync(join(folder, 'slow.log'), 'utf8'))!;
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
});

it('never chooses a port twice, nor a port of another Jest worker', async () => {
  const own = process.env['JEST_WORKER_ID'];
  try {
    for (const [worker, first] of [
      ['3', 24_500],
      ['4', 26_000],
    ] as const) {
      process.env['JEST_WORKER_ID'] = worker;
      const ports = await Promise.all(Array.from({ length: 300 }, freePort));
      expect(new Set(ports).size).toBe(300);
      expect(Math.min(...ports)).toBeGreaterThanOrEqual(first);
      expect(Math.max(...ports)).toBeLessThan(first + 1_500);
    }
  } finally {
    if (own === undefined) delete process.env['JEST_WORKER_ID'];
    else process.env['JEST_WORKER_ID'] = own;
  }
});
