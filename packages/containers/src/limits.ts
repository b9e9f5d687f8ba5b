const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of one run. The engine enforces those of the container, the supervisor and the driver those of the results. */
export const LIMITS = {
  memoryBytes: 512 * MIB,
  cpus: 1,
  processes: 64,
  /** Open files of one process. */
  descriptors: 256,
  /** /tmp and /files are in memory and count towards memoryBytes. */
  scratchBytes: 64 * MIB,
  mountBytes: 16 * MIB,
  /** Files and folders in each of /tmp and /files. */
  inodes: 4096,
  codeBytes: 1 * MIB,
  inputBytes: 8 * MIB,
  /** Standard output and standard error, each. More is dropped. As JSON, one byte becomes up to six, and an action answers at most 8 MiB. */
  outputBytes: 256 * KIB,
  /** Created and changed files that a result contains. */
  resultFiles: 20,
  resultFileBytes: 3 * MIB,
  minTimeoutSeconds: 1,
  maxTimeoutSeconds: 300,
} as const;

/** The driver ends a container that is still running so long after its time limit. The supervisor inside ends it on time unless code stops it. */
export const GRACE_MS = 1_000;
/** The start of a container, from the request to the engine until its supervisor is ready. */
export const START_MS = 30_000;

/** Bytes that a container may write in one run: output, files with their tar headers, and the exit frame. */
export const MAX_ANSWER_BYTES = 2 * LIMITS.outputBytes + LIMITS.mountBytes + LIMITS.inodes * 2 * KIB + MIB;
