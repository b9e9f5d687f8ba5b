import { type Containers, ContainerError, type Mount, type RunRequest, type RunResult } from '@drawbridge/containers';
import { repeat } from '@drawbridge/events';
import {
  CodeFailedError,
  type ConsoleLine,
  type Program,
  type ProgramResult,
  type ProgramRunner,
  StateError,
} from '@drawbridge/piece-kit';
import { type AdvancedCode } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type Background, type Config, type Logger } from '@drawbridge/rpc';
import { type SlotRequest } from '@drawbridge/sandbox';
import { type Load } from '@drawbridge/turns';
import { type Pool } from 'pg';
import { type VARIABLES } from '../variables.js';
import { containerSlots } from './container-slots.js';
import { openContainers } from './open-containers.js';

const SWEEP_MS = 60_000;
const DEFAULT_TIMEOUT_SECONDS = 300;
const MAX_CONSOLE_LINES = 10;
const CONNECTION_LOST =
  'The connection to the container was lost while the program ran. It is not known how far the program ran; check what it changed before you run it again';
const LEVELS = { stdout: 'log', stderr: 'error' };

/** The settings of the program that one call runs. */
export interface ProgramSettings {
  settings: AdvancedCode;
  /** The stored files that the program can read and change. Absent if the program stores no files. */
  mount?: Mount;
  /** The key of the persistent environment, and the organization that it belongs to. Absent if the program runs in a fresh environment. */
  environment?: { key: string; tenant: string };
  /** Called for each line of output while the program runs. */
  onConsole?: (line: ConsoleLine) => void;
}

/** The right to run one program, within the limits of an organization. */
export interface ContainerSlot {
  open(settings: ProgramSettings): ProgramRunner;
  release(): void;
}

export interface ContainerRunners extends Background {
  /**
   * Waits for a container slot. Throws RATE_LIMITED if too many runs of the organization wait or no slot becomes free in time, and TIMEOUT if the
   * signal aborts.
   */
  acquire(request: SlotRequest): Promise<ContainerSlot>;
  load(): Load;
  /** Stops all programs. Must be called after the last run. */
  close(): Promise<void>;
}

interface Needs {
  config: Config<typeof VARIABLES>;
  pool: Pool;
  log: Logger;
}

/**
 * Runs programs in containers. Connects to the Docker engine or the Kubernetes cluster for the first program, and at the start to remove the
 * containers of a process that exited.
 */
export function containerRunners({ config, pool, log }: Needs): ContainerRunners {
  let opened: Promise<Containers> | undefined;
  const open = (): Promise<Containers> =>
    (opened ??= openContainers({ config, pool, log }).catch((error: unknown) => {
      opened = undefined; // The next call tries again.
      throw error;
    }));
  const slots = containerSlots();
  // A Docker engine is optional, but an operator who configured a cluster must see that it does not respond.
  const ignored = config.SANDBOX_KUBERNETES_NAMESPACE === '' ? ignoreAbsence : undefined;
  const sweep = async (): Promise<void> => (await open()).sweep().catch(ignored);
  return {
    ...repeat({ name: 'removing orphaned containers', everyMs: SWEEP_MS, log }, sweep),
    async acquire(request) {
      const release = await slots.acquire(request);
      return {
        open: (settings) => ({ runProgram: async (program) => runProgram(await open(), settings, program) }),
        release,
      };
    },
    load: slots.load,
    close: async () => (await opened?.catch(() => undefined))?.close().catch(ignoreAbsence),
  };
}

/**
 * Ignores the error of an unavailable Docker engine, because it has no orphaned containers, and because each program that needs the engine reports
 * the error.
 */
function ignoreAbsence(error: unknown): void {
  if (!(error instanceof ContainerError && error.code === 'ENGINE_UNAVAILABLE')) throw error;
}

async function runProgram(
  containers: Containers,
  { settings, mount, environment, onConsole }: ProgramSettings,
  { signal, ...program }: Program,
): Promise<ProgramResult> {
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = settings;
  const request: RunRequest = {
    ...{ ...program, mount: mount ?? 'none', timeoutSeconds, signal },
    persistence: environment ?? 'ephemeral',
    network: settings.network ?? false,
    onOutput: onConsole && byLine(onConsole),
  };
  const result = await containers.run(request).catch(toError);
  if (result.outcome !== 'exited') throw toFailure(result, timeoutSeconds);
  const { stdout, stderr, truncated, exitCode, files, omittedFiles, durationMs } = result;
  return { stdout, stderr, truncated, exitCode, files, omittedFiles, durationMs };
}

/** Returns a function that collects output and calls `onConsole` for each complete line. An incomplete last line appears only in the result. */
export function byLine(onConsole: (line: ConsoleLine) => void): NonNullable<RunRequest['onOutput']> {
  const begun = { stdout: '', stderr: '' };
  return ({ stream, text }) => {
    const [first = '', ...more] = text.split('\n');
    begun[stream] += first; // Splits the new text before joining it, so that a long line that arrives in many parts costs no more than a short line.
    for (const next of more) {
      onConsole({ level: LEVELS[stream], text: begun[stream] });
      begun[stream] = next;
    }
  };
}

type Output = Pick<RunResult, 'outcome' | 'stdout' | 'stderr'>;

export function toFailure({ outcome, stdout, stderr }: Output, timeoutSeconds: number): CodeFailedError {
  const console = [...toLines(LEVELS.stdout, stdout), ...toLines(LEVELS.stderr, stderr)];
  if (outcome === 'timed_out') {
    return new CodeFailedError(
      { code: 'TIMEOUT', message: `The program ran longer than ${timeoutSeconds} s` },
      console,
    );
  }
  if (outcome === 'out_of_memory') {
    return new CodeFailedError({ code: 'MEMORY_LIMIT', message: 'The program exceeded its memory limit' }, console);
  }
  if (outcome === 'unknown') return new CodeFailedError({ code: 'OUTCOME_UNKNOWN', message: CONNECTION_LOST }, console);
  return new CodeFailedError({ code: 'RUNTIME_ERROR', message: 'The program stopped its own container' }, console);
}

function toLines(level: string, output: string): ConsoleLine[] {
  const lines = output.replace(/\n$/, '').split('\n').slice(-MAX_CONSOLE_LINES);
  return lines.filter((text) => text !== '').map((text) => ({ level, text }));
}

function toError(error: unknown): never {
  if (!(error instanceof ContainerError)) throw error;
  const { code, message } = error;
  if (code === 'MOUNT_LIMIT' || code === 'INVALID_REQUEST') throw new CodeFailedError({ code, message });
  throw new StateError('UNAVAILABLE', message, { cause: error });
}
