import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { identify, isAlive, type ProcessIdentity } from './processes.js';

const PATIENCE = 3_000;

/**
 * Takes the lock of a data directory for this process. A dead holder's lock is taken over; for a living one it waits
 * three seconds (it may be about to end) and then fails, naming it.
 */
export async function acquireLock(file: string): Promise<{ release(): void }> {
  for (const end = Date.now() + PATIENCE; !take(file); await sleep(50)) {
    const holder = lockHolder(file);
    if (holder && Date.now() > end)
      throw new Error(`Process ${holder.pid} uses this data directory (${file}): stop it, or give another DATA_DIR`);
    if (!holder) removeStale(file);
  }
  return { release: () => rmSync(file, { force: true }) };
}

/** The living process that holds this lock. */
export function lockHolder(file: string): ProcessIdentity | undefined {
  try {
    const holder: ProcessIdentity = JSON.parse(readFileSync(file, 'utf8'));
    return isAlive(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** A link of a complete file appears at once or not at all, and fails when the name is taken. */
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

/** Two starters may both have found it stale: what was moved away is looked at again, and put back if it is alive. */
function removeStale(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    if (lockHolder(aside)) linkSync(aside, file);
  } catch {
    // The other one was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}
