import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { isAbandoned, OWNER } from './owner.js';

const made = (owner: string, age = 0): boolean => isAbandoned({ owner, createdAt: Date.now() - age });

it('is not abandoned while its process runs', async () => {
  const child = spawn('cat');
  await once(child, 'spawn');
  const [host, , start] = OWNER.split('/');
  expect(made(`${host}/${child.pid}/${start}`)).toBe(true); // the id was reused by a later process
  expect(made(`${host}/1/${startOf1()}`)).toBe(false);
  child.kill();
  await once(child, 'exit');
  expect(made(`${host}/${child.pid}/1`)).toBe(true);
});

it('of another machine is abandoned after two hours', () => {
  expect(made(`${hostname()}-2/1/1`)).toBe(false);
  expect(made(`${hostname()}-2/1/1`, 7_300_000)).toBe(true);
});

it('of this process, which does not know it, is abandoned', () => expect(made(OWNER)).toBe(true));

function startOf1(): string {
  const stat = readFileSync('/proc/1/stat', 'utf8');
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
}
