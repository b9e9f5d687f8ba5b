import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT = 1_000;
/** The lock holder touches the file every second. After this time without a touch, the holder has exited or its machine was suspended. */
const SILENCE = 10_000;

/** Runs `work` under the lock `file`. If another process holds the lock, waits until it is released. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let told = false; !take(file); told = true) {
    if (!told) console.error('Waiting for another installation of this clone …');
    await sleep(200);
  }
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), BEAT);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}

function take(file) {
  if (isStale(file)) rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function isStale(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > SILENCE) return true;
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
