import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { endAbove, newProcess } from './worker.js';

const MIB = 1024 * 1024;

const onLinux = existsSync('/proc/self/status') ? it : it.skip;

onLinux('ends a process that takes more memory than it may, and leaves another alone', async () => {
  const [large, small] = [400, 1].map((mib) => {
    const child = spawn(process.execPath, ['-e', `Buffer.alloc(${mib * MIB}, 1); setTimeout(() => {}, 1_000)`]);
    endAbove(300 * MIB, child);
    return once(child, 'exit');
  });
  expect(await large).toEqual([null, 'SIGKILL']);
  expect(await small).toEqual([0, null]);
});

it('watches no process that did not start', async () => {
  const missing = spawn('/no/such/program');
  const failed = once(missing, 'error');
  import.meta.jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  endAbove(300 * MIB, missing);
  const watches = import.meta.jest.getTimerCount();
  import.meta.jest.useRealTimers();
  await failed;
  expect(watches).toBe(0);
});

it('says at once that a process did not start', async () => {
  const path = process.execPath;
  Object.assign(process, { execPath: '/no/such/program' });
  const { events } = newProcess('');
  Object.assign(process, { execPath: path });
  await once(events, 'exit');
});
