import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { identify, isAlive, type ProcessIdentity } from './processes.js';

const PATIENCE = 3_000;

/**
 * Locks a data directory for this process. Takes over the lock of a process that has exited. Waits three seconds for a running lock holder, which may
 * be shutting down, and then throws an error with its process id.
 */
export async function acquireLock(file: string): Promise<{ release(): void }> {
  for (const end = Date.now() + PATIENCE; !take(file); await sleep(50)) {
    const holder = lockHolder(file);
    if (holder && Date.now() > end)
      throw new Error(`Process ${holder.pid} uses this data directory (${file}): stop it, or set another DATA_DIR`);
    if (!holder) removeStale(file);
  }
  return { release: () => rmSync(file, { force: true }) };
}

/** Returns the running process that holds this lock, or undefined. */
function lockHolder(file: string): ProcessIdentity | undefined {
  try {
    const holder: ProcessIdentity = JSON.parse(readFileSync(file, 'utf8'));
    return isAlive(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Creates the lock atomically: linking a complete file succeeds, or fails if the name exists. */
function take(file: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two processes may both have found the lock to be stale. After the rename the lock is checked again, and restored if its holder is running. */
function removeStale(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    if (lockHolder(aside)) linkSync(aside, file);
  } catch {
    // Another process has already removed or acquired the lock.
  } finally {
    rmSync(aside, { force: true });
  }
}

type Runtime = { url: string; pid: number };

const runtimeFile = (dataDir: string) => join(dataDir, 'runtime.json');
export const lockFile = (dataDir: string) => join(dataDir, 'lock');

/** Returns the connection string of the server that a running process has started on `dataDir`, or undefined if there is none. */
export function runningPostgres(dataDir: string): string | undefined {
  if (!lockHolder(lockFile(dataDir))) return undefined;
  try {
    const runtime: Runtime = JSON.parse(readFileSync(runtimeFile(dataDir), 'utf8'));
    return runtime.url;
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that a reader never reads a partial file. */
export function writeRuntime(dataDir: string, runtime: Runtime): void {
  const draft = `${runtimeFile(dataDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(runtime), { mode: 0o600 });
  renameSync(draft, runtimeFile(dataDir));
}

export function removeRuntime(dataDir: string): void {
  rmSync(runtimeFile(dataDir), { force: true });
}
