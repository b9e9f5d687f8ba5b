import { posix } from 'node:path';
import { LIMITS } from './limits.js';
import type { MountFiles } from './mount-files.js';

/** The value of a FILE property, as in packages/piece-kit. */
export interface FileValue {
  filename: string;
  mimeType: string;
  base64: string;
}

export interface FileResults {
  /** Created and changed files. Their names are paths relative to the mount. */
  files: FileValue[];
  /** Number of created and changed files that exceed the limits of a result. They are stored in the mount. */
  omittedFiles: number;
}

const TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** Adds files in the order of their names until a limit is reached. */
export function toFileResults(written: MountFiles): FileResults {
  const files: FileValue[] = [];
  let left: number = LIMITS.resultFileBytes;
  for (const [filename, bytes] of [...written].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (files.length === LIMITS.resultFiles || bytes.length > left) continue;
    left -= bytes.length;
    const mimeType = TYPES[posix.extname(filename).toLowerCase()] ?? 'application/octet-stream';
    files.push({ filename, mimeType, base64: bytes.toString('base64') });
  }
  return { files, omittedFiles: written.size - files.length };
}
