import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, startChild } from './child.js';

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-child-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(name: string, script: string): Promise<Running> {
  return startChild({ name, command: [process.execPath, '-e', script], env: {}, readyWhen: /port (\d+)/ }, folder);
}

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
