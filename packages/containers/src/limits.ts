const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of one run. The engine enforces the limits of the container. The supervisor and the driver enforce the limits of the results. */
export const LIMITS = {
  memoryBytes: 512 * MIB,
  cpus: 1,
  processes: 64,
  /** Maximum number of open files of one process. */
  descriptors: 256,
  /** /tmp and /files are in memory, and count toward memoryBytes. */
  scratchBytes: 64 * MIB,
  mountBytes: 16 * MIB,
  /** Maximum number of files and folders in each of /tmp and /files. */
  inodes: 4096,
  codeBytes: 1 * MIB,
  inputBytes: 8 * MIB,
  /**
   * Maximum size of standard output, and of standard error. Further output is dropped. In JSON one byte becomes up to six, and the output of an
   * action is limited to 8 MiB.
   */
  outputBytes: 256 * KIB,
  /** Maximum number of created and changed files in a result. */
  resultFiles: 20,
  resultFileBytes: 3 * MIB,
  minTimeoutSeconds: 1,
  maxTimeoutSeconds: 300,
} as const;

/**
 * Time after the time limit of a run at which the driver kills the container. Normally the supervisor in the container ends the code at its time
 * limit, but the code can prevent that.
 */
export const GRACE_MS = 1_000;
/** Time limit for the start of a container, from the request to the engine until its supervisor is ready. */
export const START_MS = 30_000;

/**
 * Maximum number of frames of one run. Each byte of output can be a frame of its own, and so can the name of each deleted file. 64 KiB of files are one
 * frame. An empty frame costs memory that MAX_ANSWER_BYTES does not count.
 */
export const MAX_FRAMES = 2 * LIMITS.outputBytes + 4 * LIMITS.inodes;
/** Maximum number of bytes that a container may write in one run: output, files with their tar headers, and the exit frame. */
export const MAX_ANSWER_BYTES = 2 * LIMITS.outputBytes + LIMITS.mountBytes + LIMITS.inodes * 2 * KIB + MIB;
