import { availableParallelism } from 'node:os';
import { TenantLimiter } from '@drawbridge/turns';
import { loadEngine } from './engine.js';
import { requireFunctionNames } from './host-calls.js';
import { requireJsonLimits } from './json.js';
import { type Limits, toLimits } from './limits.js';
import type { Outcome } from './outcome.js';
import { Run } from './run.js';
import type { ResumeRequest, RunRequest, Source } from './run-request.js';
import { unpackSnapshot } from './snapshot.js';
import { ThreadPool } from './thread-pool.js';

export interface SandboxLimits {
  /** Runs that compute at the same time. */
  workers: number;
  /** Memory for the VMs of waiting runs without a thread. One organization has at most a quarter of it. */
  parkedBytes: number;
  /** Runs of one organization at the same time; more wait. */
  atOnce: number;
  /** Runs of one organization that wait; more are refused. */
  waiting: number;
}

const DEFAULTS: SandboxLimits = {
  workers: Math.max(2, availableParallelism()),
  parkedBytes: 1024 * 1024 * 1024,
  atOnce: 10,
  waiting: 50,
};

export interface Sandbox {
  /**
   * Runs code. Failures of the code are outcomes. Throws QueueFullError if too many runs of the organization wait, RangeError or JsonLimitError for
   * a code, an input or limits that are too large, TypeError for the name of a function, and the signal's reason.
   */
  run(request: RunRequest): Promise<Outcome>;
  /** Continues a paused run; its pending calls are made again. Throws as `run`, and SnapshotError for bytes that cannot be resumed. */
  resume(snapshot: Uint8Array, request: ResumeRequest): Promise<Outcome>;
  readonly size: { threads: number; runs: number };
  /** Ends all runs and threads. */
  close(): Promise<void>;
}

/** Opens a sandbox with its own threads, which start at once. */
export function openSandbox(given: Partial<SandboxLimits> = {}): Sandbox {
  const limits = { ...DEFAULTS, ...given };
  const engine = loadEngine();
  const pool = new ThreadPool(engine, limits);
  const slots = new TenantLimiter(limits);

  const execute = async (
    request: ResumeRequest,
    toSource: (limits: Limits) => Source | Promise<Source>,
  ): Promise<Outcome> => {
    const { organization, functions = {}, signal = new AbortController().signal, now = Date.now } = request;
    requireFunctionNames(Object.keys(functions));
    const runLimits = toLimits(request.limits);
    const source = await toSource(runLimits);
    signal.throwIfAborted();
    const release = await slots.acquire(organization, signal);
    const { onConsole } = request;
    const run = new Run(
      source,
      { organization, functions, limits: runLimits, now, onConsole, engine: engine.id },
      pool,
    );
    const abort = (): void => run.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      pool.begin(run);
      return await run.outcome;
    } finally {
      signal.removeEventListener('abort', abort);
      release();
    }
  };

  return {
    run: (request) => execute(request, (runLimits) => toProgram(request, runLimits)),
    resume: (snapshot, request) => execute(request, () => unpackSnapshot(snapshot, engine.id)),
    get size() {
      return pool.size;
    },
    close: () => pool.close(),
  };
}

function toProgram({ code, input = null }: RunRequest, limits: Limits): Source {
  const size = Buffer.byteLength(code);
  if (size > limits.codeBytes) throw new RangeError(`The code has ${size} bytes, and the limit is ${limits.codeBytes}`);
  const json = JSON.stringify(input);
  requireJsonLimits(json, 'The input', { bytes: limits.inputBytes, depth: limits.depth });
  return { code, input: json };
}
