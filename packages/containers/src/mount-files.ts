import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import { ContainerError } from './container-error.js';
import { LIMITS } from './limits.js';

/** The files of a mount, by relative path. */
export type MountFiles = Map<string, Buffer>;

export interface MountChanges {
  written: MountFiles;
  deleted: string[];
}

const PAGE = 4096;
const MAX_NAME_BYTES = 1024;

/** The files of one owner, such as a workspace, which are stored between runs. The key identifies the owner. Files of different keys are separate. */
export interface Mount {
  key: string;
  read(): Promise<MountFiles>;
  /** Applies all changes of one run to the current files of the mount, or none. Rejects with MOUNT_LIMIT. */
  write(changes: MountChanges): Promise<void>;
}

/**
 * Applies changes to the sizes of the files in a mount. Returns the names that must be deleted first: deleted files, and files that conflict with new
 * files, because two concurrent runs can write `a` and `a/b`, of which the later takes precedence. Throws MOUNT_LIMIT if the result would exceed the
 * limits of a mount.
 */
export function mergeChanges(sizes: ReadonlyMap<string, number>, { written, deleted }: MountChanges): string[] {
  const result = new Map(sizes);
  for (const name of deleted) result.delete(name);
  const folders = new Set([...written.keys()].flatMap(foldersOf));
  for (const name of sizes.keys()) {
    if (folders.has(name) || foldersOf(name).some((folder) => written.has(folder))) result.delete(name);
  }
  const removed = [...sizes.keys()].filter((name) => !result.has(name));
  for (const [name, bytes] of written) result.set(name, bytes.length);
  requireFit(result);
  return removed;
}

function foldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function requireFit(sizes: ReadonlyMap<string, number>): void {
  const folders = new Set([...sizes.keys()].flatMap(foldersOf));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + Math.ceil(size / PAGE) * PAGE, 0);
  if (bytes <= LIMITS.mountBytes && sizes.size + folders.size < LIMITS.inodes) return;
  throw new ContainerError(
    'MOUNT_LIMIT',
    `The mount would hold ${bytes} bytes in ${sizes.size} files; the limits are ${LIMITS.mountBytes} bytes and ${LIMITS.inodes} files and folders. Delete files first.`,
  );
}

export async function toArchive(files: MountFiles): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of files) archive.entry({ name, mode: 0o600 }, bytes);
  archive.finalize();
  return buffer(archive);
}

/** Extracts regular files with safe names and ignores all other entries. The archive comes from a container, so its content is not trusted. */
export async function fromArchive(archive: Buffer): Promise<MountFiles> {
  const files: MountFiles = new Map();
  if (archive.length === 0) return files;
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const content = await buffer(entry);
    const { type, name } = entry.header;
    if (type === 'file' && isFileName(name)) files.set(name, content);
  }
  return files;
}

/** Returns whether the name is a relative path that stays below its folder on every system. */
export function isFileName(name: string): boolean {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES || /[\u0000-\u001f\u007f\\]/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
