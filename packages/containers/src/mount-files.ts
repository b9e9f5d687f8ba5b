import { extract, pack } from 'tar-stream';
import { ContainerError } from './container-error.js';
import { LIMITS } from './limits.js';

/** Files of a mount by relative path. */
export type MountFiles = Map<string, Buffer>;

export interface MountChanges {
  written: MountFiles;
  deleted: string[];
}

const PAGE = 4096;
const MAX_NAME_BYTES = 1024;

/** Returns the files with the changes. Throws MOUNT_LIMIT if the result would not fit into a mount. */
export function withChanges(files: MountFiles, { written, deleted }: MountChanges): MountFiles {
  const result = new Map(files);
  for (const name of deleted) result.delete(name);
  for (const [name, bytes] of written) {
    removeConflicts(result, name);
    result.set(name, bytes);
  }
  requireFit(result);
  return result;
}

/** Two concurrent runs can write `a` and `a/b`. The later one wins, because a path cannot be a file and a folder. */
function removeConflicts(files: MountFiles, name: string): void {
  for (const folder of foldersOf(name)) files.delete(folder);
  for (const other of files.keys()) if (other.startsWith(`${name}/`)) files.delete(other);
}

function foldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function requireFit(files: MountFiles): void {
  const folders = new Set([...files.keys()].flatMap(foldersOf));
  const bytes = [...files.values()].reduce((sum, file) => sum + Math.ceil(file.length / PAGE) * PAGE, 0);
  if (bytes <= LIMITS.mountBytes && files.size + folders.size < LIMITS.inodes) return;
  throw new ContainerError(
    'MOUNT_LIMIT',
    `The mount would hold ${bytes} bytes in ${files.size} files; the limits are ${LIMITS.mountBytes} bytes and ${LIMITS.inodes} files and folders. Delete files first.`,
  );
}

export async function toArchive(files: MountFiles): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of files) archive.entry({ name, mode: 0o600 }, bytes);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads regular files with safe names and ignores all other entries. The archive comes from a container: its content cannot be trusted. */
export async function fromArchive(archive: Buffer): Promise<MountFiles> {
  const files: MountFiles = new Map();
  if (archive.length === 0) return files;
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    const { type, name } = entry.header;
    if (type === 'file' && isFileName(name)) files.set(name, Buffer.concat(chunks));
  }
  return files;
}

/** Accepts a relative path that stays below its folder on every system. */
export function isFileName(name: string): boolean {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES || /[\u0000-\u001f\u007f\\]/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
