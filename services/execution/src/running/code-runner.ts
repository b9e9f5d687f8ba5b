import { CodeFailedError, type CodeRunner, type JsonValue, StateError } from '@drawbridge/piece-kit';
import { type Background } from '@drawbridge/rpc';
import { openSandbox, type Sandbox } from '@drawbridge/sandbox';
import { QueueFullError } from '@drawbridge/turns';

/** The output of an action has one level and some bytes around the value; its time includes the wait for a thread. */
const LIMITS = { wallMs: 58_000, depth: 63, outputBytes: 7 * 1024 * 1024 };

export interface CodeRunners extends Background {
  /** Runs code for one organization, without a network. */
  of(orgId: string): CodeRunner;
}

/** Opens the sandbox for the first code, so that a server without code has no threads for it. */
export function codeRunners(open: () => Sandbox = openSandbox): CodeRunners {
  let sandbox: Sandbox | undefined;
  return {
    of: (orgId) => ({
      async run(request) {
        sandbox ??= open();
        const outcome = await sandbox.run({ organization: orgId, limits: LIMITS, ...request }).catch(toError);
        const { console, durationMs } = outcome;
        if (outcome.status === 'failed') throw new CodeFailedError(outcome.error, console);
        if (outcome.status === 'paused') throw new Error('Code without functions was paused');
        return { value: toValue(outcome.value), console, durationMs };
      },
    }),
    start: () => undefined,
    stop: async () => sandbox?.close(),
  };
}

function toError(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw new StateError('TOO_BUSY', 'Too many code runs of this organization wait already', { cause: error });
}

/** The value is parsed JSON, which has no undefined inside. */
function toValue(value: unknown): JsonValue {
  return value === undefined ? null : (value as JsonValue);
}
