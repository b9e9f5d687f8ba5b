import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockHolder } from './lock.js';

export type Runtime = { url: string; pid: number };

const runtimeFile = (dataDir: string) => join(dataDir, 'runtime.json');
export const lockFile = (dataDir: string) => join(dataDir, 'lock');

/** Returns the connection string of the server that a living process runs on `dataDir`; undefined if there is none. */
export function runningPostgres(dataDir: string): string | undefined {
  if (!lockHolder(lockFile(dataDir))) return undefined;
  try {
    const runtime: Runtime = JSON.parse(readFileSync(runtimeFile(dataDir), 'utf8'));
    return runtime.url;
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that a reader never sees a partial file. */
export function writeRuntime(dataDir: string, runtime: Runtime): void {
  const draft = `${runtimeFile(dataDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(runtime), { mode: 0o600 });
  renameSync(draft, runtimeFile(dataDir));
}

export function removeRuntime(dataDir: string): void {
  rmSync(runtimeFile(dataDir), { force: true });
}
