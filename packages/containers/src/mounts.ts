import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detailOf } from './container-error.js';
import { fromArchive, type MountChanges, type MountFiles, toArchive, withChanges } from './mount-files.js';

const NAME_KEPT_MS = 3_600_000;

/** Holds the files of mounts between runs. A key names one scope; files of different keys never meet. */
export interface Mounts {
  read(key: string): Promise<MountFiles>;
  /** Applies the changes of one run, all or none. Rejects with MOUNT_LIMIT. */
  write(key: string, changes: MountChanges): Promise<void>;
}

/**
 * Keeps each mount as one tar in `folder`, for one machine. Each change writes the next version by a hard link, which fails if another run or process
 * wrote that version first; the change is then applied to what the other wrote. A crash leaves the previous version.
 */
export function folderMounts(folder: string): Mounts {
  const place = (key: string): string => join(folder, hashed(key));
  return {
    read: async (key) => (await readLatest(place(key))).files,
    async write(key, changes) {
      if (changes.written.size === 0 && changes.deleted.length === 0) return;
      await mkdir(place(key), { recursive: true, mode: 0o700 });
      while (!(await wroteNext(place(key), changes)));
    },
  };
}

/** A hash is a safe file name for every key, and the folder's listing reveals no external id. */
export function hashed(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

interface Version {
  number: number;
  files: MountFiles;
}

async function readLatest(place: string): Promise<Version> {
  for (;;) {
    const number = Math.max(0, ...(await versionsIn(place)));
    if (number === 0) return { number, files: new Map() };
    const archive = await readFile(join(place, `${number}.tar`));
    // Empty: another run has written a newer version since the listing.
    if (archive.length > 0) return { number, files: await fromArchive(archive) };
  }
}

async function wroteNext(place: string, changes: MountChanges): Promise<boolean> {
  const { number, files } = await readLatest(place);
  const archive = await toArchive(withChanges(files, changes));
  const draft = join(place, `${randomUUID()}.draft`);
  try {
    await writeFile(draft, archive, { mode: 0o600, flush: true });
    await link(draft, join(place, `${number + 1}.tar`));
  } catch (error) {
    if (detailOf(error, 'code') === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await dropBefore(number + 1, place);
  return true;
}

/** Empties older versions. Their names stay for an hour: if they were free, a slow writer could take one and lose its change. */
async function dropBefore(newest: number, place: string): Promise<void> {
  for (const version of (await versionsIn(place)).filter((number) => number < newest)) {
    const file = join(place, `${version}.tar`);
    const found = await stat(file).catch(() => undefined);
    if (found === undefined) continue;
    if (found.size > 0) await truncate(file).catch(() => undefined);
    else if (Date.now() - found.mtimeMs > NAME_KEPT_MS) await rm(file, { force: true });
  }
}

async function versionsIn(place: string): Promise<number[]> {
  const names = await readdir(place).catch((error: unknown) => {
    if (detailOf(error, 'code') === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => /^\d+\.tar$/.test(name)).map((name) => Number.parseInt(name, 10));
}
