import { CodeFailedError, type CodeRunner, JsonText, type JsonValue } from '@drawbridge/piece-kit';
import { type Background } from '@drawbridge/rpc';
import { openSandbox, type Outcome, type RunRequest, type Sandbox, type SlotRequest } from '@drawbridge/sandbox';
import { QueueFullError, slotRefused } from '@drawbridge/turns';

/** The output of an action has one level and some bytes around the value; its time includes the wait for a thread. */
const LIMITS = { wallMs: 58_000, depth: 63, outputBytes: 7 * 1024 * 1024 };
/** The wait for a slot, and the run after it, must end within the time limit of the caller's request. */
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 5;

/** The right to run code once, in the limits of an organization. */
export interface CodeSlot {
  /** Runs code with what the execution gives it. Throws CodeFailedError. */
  run(request: RunRequest): ReturnType<CodeRunner['run']>;
  release(): void;
}

export interface CodeRunners extends Background {
  /** Waits for a slot. Throws RATE_LIMITED if too many runs of the organization wait, or if none ends in time, and TIMEOUT if the signal aborts. */
  acquire(request: SlotRequest): Promise<CodeSlot>;
}

/** Opens the sandbox for the first code, so that a server without code has no threads for it. */
export function codeRunners(open: () => Sandbox = openSandbox, maxWaitMs = MAX_WAIT_MS): CodeRunners {
  let sandbox: Sandbox | undefined;
  return {
    async acquire({ signal, ...request }) {
      sandbox ??= open();
      const waited = AbortSignal.timeout(maxWaitMs);
      const both = signal ? AbortSignal.any([signal, waited]) : waited;
      const slot = await sandbox.acquire({ ...request, signal: both }).catch((error: unknown) => {
        throw refused(waited.aborted && !signal?.aborted ? new QueueFullError('The wait was too long') : error);
      });
      return {
        run: async (code) => toResult(await slot.run({ limits: LIMITS, ...code })),
        release: slot.release,
      };
    },
    start: () => undefined,
    stop: async () => sandbox?.close(),
  };
}

function refused(error: unknown): Error {
  const full = `Too many code runs of this organization are under way. Try again in ${RETRY_SECONDS} s`;
  return slotRefused(error, full, RETRY_SECONDS);
}

function toResult(outcome: Outcome): Awaited<ReturnType<CodeRunner['run']>> {
  const { console, durationMs } = outcome;
  if (outcome.status === 'failed') throw new CodeFailedError(outcome.error, console);
  if (outcome.status === 'paused') throw new Error('Code without functions was paused');
  return { value: toValue(outcome.json), console, durationMs };
}

/** The text takes the place of the value: parsing a value of 7 MiB would block all other calls for up to 0.3 s. */
function toValue(json: string | undefined): JsonValue {
  return json === undefined ? null : (new JsonText(json) as unknown as JsonValue);
}
