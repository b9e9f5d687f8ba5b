import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeWithDocker } from './testing/engine.js';

const runFile = promisify(execFile);
const BUILD = join(import.meta.dirname, '../../../deploy/sandbox/build.mjs');

// A short replacement for debootstrap. It mounts /proc like the original, and takes longer than the 10 s after which an unchanged lock is stale.
const DEBOOTSTRAP = `#!/bin/sh
[ "$1" = --version ] && exit 0
for folder; do :; done
mkdir -p "$folder/proc" "$folder/usr/local/bin"
mount -t proc proc "$folder/proc"
echo "$$ begins" >> "$BUILD_LOG"
sleep "$BUILD_SECONDS"
echo "$$ ends" >> "$BUILD_LOG"
umount "$folder/proc"
`;

describeWithDocker('the build of the sandbox image', () => {
  let folder: string;
  const cache = (): string => join(folder, 'cache');
  const log = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
  const envOf = (seconds: number): NodeJS.ProcessEnv => ({
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    BUILD_LOG: join(folder, 'log'),
    BUILD_SECONDS: String(seconds),
  });
  const build = (seconds: number): Promise<unknown> =>
    runFile(process.execPath, [BUILD, '--cache', cache()], { env: envOf(seconds) });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'drawbridge-build-'));
    writeFileSync(join(folder, 'debootstrap'), DEBOOTSTRAP);
    chmodSync(join(folder, 'debootstrap'), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('runs once when two processes start it, however long it takes', async () => {
    await Promise.all([build(12), build(12)]);
    expect(log()).toHaveLength(2);
    expect(existsSync(join(cache(), 'image.tar'))).toBe(true);
  });

  it('succeeds after a build that was killed, and leaves no process of that build', async () => {
    const killed = spawn(process.execPath, [BUILD, '--cache', cache()], { env: envOf(60) });
    while (!existsSync(join(folder, 'log'))) await sleep(50);
    killed.kill('SIGKILL');
    await build(0);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    expect(mounts).not.toContain(folder);
    expect(log().filter((line) => line.endsWith('ends'))).toHaveLength(1);
    const { stdout } = await runFile('ps', ['-eo', 'args']);
    expect(stdout).not.toContain(join(folder, 'debootstrap'));
  });
});
