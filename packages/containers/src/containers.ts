import { ContainerError } from './container-error.js';
import { type ContainerSpec, type Driver, type Language, LANGUAGES } from './driver.js';
import { Environments } from './environments.js';
import { type FileResults, toFileResults } from './file-results.js';
import { LIMITS } from './limits.js';
import { Pool } from './pool.js';
import { openSession, requireNotCancelled, type RunRequest, type RunResult, runIn, type Session } from './run.js';

export interface ContainersOptions {
  driver: Driver;
  /** Number of pre-started containers per language. Default: 1. 0 disables them. */
  warm?: Partial<Record<Language, number>>;
  /** Receives the error of a removal that failed. The next sweep repeats the removal. */
  onRemovalFailed?: (error: unknown) => void;
}

export interface Containers {
  /** Runs code once. Rejects with a ContainerError if the code could not be run. A failure of the code itself is a result. */
  run(request: RunRequest): Promise<Omit<RunResult, 'changes'> & FileResults>;
  /**
   * Removes orphaned containers (their process has exited), and containers that waited for a run too long. Call it at start and every minute. Rejects
   * if the engine is unavailable.
   */
  sweep(): Promise<void>;
  /** Ends all runs and removes all containers. */
  close(): Promise<void>;
}

export function createContainers({ driver, warm = {}, onRemovalFailed }: ContainersOptions): Containers {
  const open = async (spec: ContainerSpec): Promise<Session> => {
    const container = await driver.start(spec);
    const remove = (): Promise<void> => container.remove().catch((error: unknown) => onRemovalFailed?.(error));
    return openSession({ ...container, remove });
  };
  const pool = new Pool((language) => open({ language, network: false }), warm);
  const environments = new Environments(open);

  const session = ({ language, network }: RunRequest): Promise<Session> =>
    network ? open({ language, network }) : pool.take(language);
  return {
    async run(request) {
      requireValid(request);
      requireNotCancelled(request.signal);
      const work = async (opened: Session): ReturnType<Containers['run']> => {
        await driver.requireIsolation(); // The container may have started long ago.
        return runWithMount(opened, request);
      };
      if (request.persistence !== 'ephemeral') return environments.run(request, work);
      const opened = await session(request);
      // A container is used for one run. Its removal does not delay the result.
      return work(opened).finally(() => void opened.container.remove());
    },
    async sweep() {
      await driver.removeOrphans();
      pool.renew();
    },
    async close() {
      await Promise.all([pool.close(), environments.close()]);
      await driver.close();
    },
  };
}

async function runWithMount(session: Session, request: RunRequest): ReturnType<Containers['run']> {
  const { mount } = request;
  const files = mount === 'none' ? new Map<string, Buffer>() : await mount.read();
  const { changes, ...result } = await runIn(session, request, files);
  if (mount !== 'none' && changes.written.size + changes.deleted.length > 0) await mount.write(changes);
  return { ...result, ...toFileResults(changes.written) };
}

function requireValid({ language, code, input, timeoutSeconds }: RunRequest): void {
  const { minTimeoutSeconds: min, maxTimeoutSeconds: max, codeBytes, inputBytes } = LIMITS;
  if (!LANGUAGES.includes(language)) throw invalid(`language must be one of ${LANGUAGES.join(', ')} (got ${language})`);
  if (!(timeoutSeconds >= min && timeoutSeconds <= max)) {
    throw invalid(`timeoutSeconds must be ${min} to ${max} (got ${timeoutSeconds})`);
  }
  if (Buffer.byteLength(code) > codeBytes) throw invalid(`code must have at most ${codeBytes} bytes`);
  if (Buffer.byteLength(JSON.stringify(input ?? null)) > inputBytes) {
    throw invalid(`input must have at most ${inputBytes} bytes as JSON`);
  }
}

function invalid(message: string): ContainerError {
  return new ContainerError('INVALID_REQUEST', message);
}
