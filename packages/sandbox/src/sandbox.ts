import { availableParallelism } from 'node:os';
import { type Load, TenantLimiter } from '@drawbridge/turns';
import { loadEngine } from './engine.js';
import { requireFunctionNames } from './host-calls.js';
import { requireJsonLimits } from './json.js';
import { type Limits, toLimits } from './limits.js';
import { Run } from './run.js';
import type { Outcome, ResumeRequest, RunOptions, RunRequest, Source } from './run-request.js';
import { unpackSnapshot } from './snapshot.js';
import { type PoolLimits, ThreadPool } from './thread-pool.js';

export interface SandboxLimits extends PoolLimits {
  /** Maximum number of concurrent runs of one organization. Further runs wait. */
  atOnce: number;
  /** Maximum number of concurrent runs of one caller of an organization. Further runs wait. */
  atOncePerCaller: number;
  /** Maximum number of waiting runs of one organization. Further runs are rejected. */
  waiting: number;
}

const DEFAULTS = { parkedBytes: 1024 * 1024 * 1024, atOnce: 10, atOncePerCaller: 5, waiting: 50 };

/** Allows a caller to have one run. It counts against the limits of its organization until it is released. */
export interface Slot {
  /**
   * Runs code. Failures of the code are outcomes. Throws RangeError or JsonLimitError if the code, the input or the limits are too large, TypeError
   * for the name of a function, and the reason of the signal.
   */
  run(request: RunRequest): Promise<Outcome>;
  /** Continues a paused run. Its pending calls are made again. Throws as `run` does, and SnapshotError for bytes that cannot be resumed. */
  resume(snapshot: Uint8Array, request: ResumeRequest): Promise<Outcome>;
  release(): void;
}

export interface SlotRequest {
  /** The organization of the run. Threads are assigned to the organizations in turn. */
  organization: string;
  /** A caller within the organization, for example an end user. The slots and threads of the organization are assigned to its callers in turn. */
  caller?: string;
  signal?: AbortSignal;
}

export interface Sandbox {
  /** Waits for a slot. Throws QueueFullError if too many runs of the organization wait, and the reason of the signal. */
  acquire(request: SlotRequest): Promise<Slot>;
  /** Waits for a slot, runs code in it and releases it. Throws as `acquire` and `Slot.run` do. */
  run(request: SlotRequest & RunRequest): Promise<Outcome>;
  /** Waits for a slot and continues a paused run in it. Throws as `acquire` and `Slot.resume` do. */
  resume(snapshot: Uint8Array, request: SlotRequest & ResumeRequest): Promise<Outcome>;
  readonly size: { threads: number; runs: number };
  /** Returns the number of slots in use, and of runs that wait for a slot. */
  load(): Load;
  /** Ends all runs and threads. */
  close(): Promise<void>;
}

/** Opens a sandbox with separate threads, which start immediately. */
export function openSandbox(given: Partial<SandboxLimits> = {}): Sandbox {
  const limits = toSandboxLimits(given);
  const engine = loadEngine();
  const pool = new ThreadPool(engine, limits);
  const slots = new TenantLimiter(limits);

  const acquire = async ({ organization, caller = '', signal }: SlotRequest): Promise<Slot> => {
    signal?.throwIfAborted();
    const release = await slots.acquire(organization, signal, caller);
    const by = { organization, caller, engine: engine.id };
    return {
      run: async (request) => execute(pool, { ...request, ...by }, (limited) => toProgram(request, limited)),
      resume: async (snapshot, request) =>
        execute(pool, { ...request, ...by }, () => unpackSnapshot(snapshot, engine.id)),
      release,
    };
  };
  const inSlot = async (request: SlotRequest, run: (slot: Slot) => Promise<Outcome>): Promise<Outcome> => {
    const slot = await acquire(request);
    return run(slot).finally(slot.release);
  };

  return {
    acquire,
    run: (request) => inSlot(request, (slot) => slot.run(request)),
    resume: (snapshot, request) => inSlot(request, (slot) => slot.resume(snapshot, request)),
    get size() {
      return pool.size;
    },
    load: () => slots.load,
    close: () => pool.close(),
  };
}

/** There are more workers than processors, so that long computations leave some workers to other organizations. */
function toSandboxLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const { workers = Math.max(4, 2 * availableParallelism()) } = given;
  const { workersPerOrganization = Math.ceil(workers / 2) } = given;
  const { workersPerCaller = Math.ceil(workersPerOrganization / 2) } = given;
  return { ...DEFAULTS, ...given, workers, workersPerOrganization, workersPerCaller };
}

type Execution = ResumeRequest & Pick<RunOptions, 'organization' | 'caller' | 'engine'>;

async function execute(
  pool: ThreadPool,
  { functions = {}, signal, now = Date.now, limits, ...request }: Execution,
  toSource: (limits: Limits) => Source | Promise<Source>,
): Promise<Outcome> {
  requireFunctionNames(Object.keys(functions));
  const runLimits = toLimits(limits);
  const source = await toSource(runLimits);
  signal?.throwIfAborted();
  const { organization, caller, engine, onConsole } = request;
  const run = new Run(source, { organization, caller, engine, onConsole, functions, now, limits: runLimits }, pool);
  const abort = (): void => run.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    pool.begin(run);
    return await run.outcome;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function toProgram({ code, input = null }: RunRequest, limits: Limits): Source {
  const size = Buffer.byteLength(code);
  if (size > limits.codeBytes) throw new RangeError(`The code has ${size} bytes, and the limit is ${limits.codeBytes}`);
  const json = JSON.stringify(input);
  requireJsonLimits(json, 'The input', { bytes: limits.inputBytes, depth: limits.depth });
  return { code, input: json };
}
