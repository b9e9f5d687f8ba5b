/** The limits of one run. */
export interface Limits {
  /** Memory of the VM for values of the code. */
  memoryBytes: number;
  /** Computing time of the code, excluding waits for host functions. */
  cpuMs: number;
  /** Time from the start of the run to its end, including waits. */
  wallMs: number;
  codeBytes: number;
  inputBytes: number;
  /** Maximum size of the serialized result. */
  outputBytes: number;
  /** Maximum nesting of the input, the result, and the arguments and results of host functions. */
  depth: number;
  consoleBytes: number;
  consoleLines: number;
  /** Maximum number of host calls in the whole run. */
  calls: number;
  /** Maximum number of concurrent host calls. */
  concurrentCalls: number;
  /** Maximum size of the serialized arguments of the current calls. The main thread parses them. */
  argumentBytes: number;
  /** Maximum size of the serialized result of one call. */
  answerBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: Limits = {
  memoryBytes: 64 * MIB,
  cpuMs: 10_000,
  wallMs: 60_000,
  codeBytes: MIB,
  inputBytes: 8 * MIB,
  outputBytes: 8 * MIB,
  depth: 64,
  consoleBytes: 64 * 1024,
  consoleLines: 1_000,
  calls: 1_000,
  concurrentCalls: 50,
  argumentBytes: 2 * MIB,
  answerBytes: 8 * MIB,
};

/** The maximum `memoryBytes` that a caller can request. With the engine's own memory, a VM cannot exceed MAX_VM_BYTES. */
const MAX_MEMORY = 128 * MIB;
export const MAX_VM_BYTES = 192 * MIB;

/** Adds the default limits. Throws RangeError for a limit that is not a positive integer, or that exceeds the maximum of a VM. */
export function toLimits(given: Partial<Limits> = {}): Limits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a positive integer (got ${value})`);
  }
  if (limits.memoryBytes > MAX_MEMORY)
    throw new RangeError(`memoryBytes must be at most ${MAX_MEMORY} (got ${limits.memoryBytes})`);
  return limits;
}
