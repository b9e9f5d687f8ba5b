import { CodeFailedError, type CodeRunner, JsonText, type JsonValue } from '@drawbridge/piece-kit';
import { type Background } from '@drawbridge/rpc';
import {
  openSandbox,
  type Outcome,
  type RunRequest,
  type Sandbox,
  type Slot,
  type SlotRequest,
} from '@drawbridge/sandbox';
import { type Load } from '@drawbridge/turns';
import { waitForSlot } from './wait-for-slot.js';

/**
 * Limits of code that an action runs, slightly below the limits of the action: the output of the action adds one level and a few bytes to the value
 * of the code, and the time limit of the action includes the wait for a thread.
 */
const LIMITS = { wallMs: 58_000, depth: 63, outputBytes: 7 * 1024 * 1024 };

/** The right to run code once, within the limits of an organization. */
export interface CodeSlot {
  /** Runs code in the slot. Throws CodeFailedError. */
  run(request: RunRequest): ReturnType<CodeRunner['run']>;
  release(): void;
}

export interface CodeRunners extends Background {
  /**
   * Waits for a sandbox slot. Throws RATE_LIMITED if too many runs of the organization wait or no slot becomes free in time, and TIMEOUT if the
   * signal aborts.
   */
  acquire(request: SlotRequest): Promise<CodeSlot>;
  /**
   * Waits for a sandbox slot like `acquire`, but returns the slot of the sandbox itself, for callers that handle pauses and failures of a program.
   */
  acquireSlot(request: SlotRequest): Promise<Slot>;
  load(): Load;
}

/** Starts the sandbox with the first code, so that a server that runs no code has no threads for it. */
export function codeRunners(open: () => Sandbox = openSandbox, maxWaitMs?: number): CodeRunners {
  let sandbox: Sandbox | undefined;
  const acquireSlot: CodeRunners['acquireSlot'] = ({ signal, ...request }) => {
    const { acquire } = (sandbox ??= open());
    const wait = { runs: 'code runs of this organization', signal, maxWaitMs };
    return waitForSlot((both) => acquire({ ...request, signal: both }), wait);
  };
  return {
    acquireSlot,
    async acquire(request) {
      const slot = await acquireSlot(request);
      return {
        run: async (code) => toResult(await slot.run({ limits: LIMITS, ...code })),
        release: slot.release,
      };
    },
    load: () => sandbox?.load() ?? { running: 0, waiting: 0 },
    start: () => undefined,
    stop: async () => sandbox?.close(),
  };
}

function toResult(outcome: Outcome): Awaited<ReturnType<CodeRunner['run']>> {
  const { console, durationMs } = outcome;
  if (outcome.status === 'failed') throw new CodeFailedError(outcome.error, console);
  if (outcome.status === 'paused') throw new Error('Code without functions was paused');
  return { value: toValue(outcome.json), console, durationMs };
}

/** Returns the value as serialized JSON, because parsing a value of 7 MiB would block all other requests for up to 0.3 s. */
function toValue(json: string | undefined): JsonValue {
  return json === undefined ? null : (new JsonText(json) as unknown as JsonValue);
}
