/** The limits of one run. */
export interface Limits {
  /** Memory of the VM for the values of the code. */
  memoryBytes: number;
  /** Time that the code computes, without its waits for host functions. */
  cpuMs: number;
  /** Time from the start of the run to its end, with its waits. */
  wallMs: number;
  codeBytes: number;
  inputBytes: number;
  /** The serialized result. */
  outputBytes: number;
  /** Levels of nesting in the input, the result, and the arguments and answers of host functions. */
  depth: number;
  consoleBytes: number;
  consoleLines: number;
  /** Calls of host functions in the whole run. */
  calls: number;
  /** Calls of host functions under way at the same time. */
  concurrentCalls: number;
  /** The serialized arguments of the calls under way. The main thread parses them. */
  argumentBytes: number;
  /** The serialized answer of one call. */
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

/** The largest limits that a caller can give, except for the times. The memory of a VM cannot grow beyond MAX_VM_BYTES. */
const MAX_MEMORY = 128 * MIB;
export const MAX_VM_BYTES = 192 * MIB;

/** Fills in the default limits. Throws RangeError for a limit that is not a positive integer, or that is larger than a VM can have. */
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
