import { availableParallelism } from 'node:os';
import { type SendRequest } from '@drawbridge/piece-kit';
import { type Background } from '@drawbridge/rpc';
import { type Load } from '@drawbridge/turns';
import { type AttemptResult } from '../running/attempt.js';
import { WorkerSlots, NotBegunError, requireUnended } from './worker-slots.js';
import { type FromWorker, type Job, type Message, type Reply } from './job.js';
import { LimitError, untilReady, work, type Worker } from './worker.js';

/** Number of workers that compute at the same time. With three or more CPUs, one CPU remains free for the event loop. */
const AT_ONCE = Math.min(4, Math.max(2, availableParallelism() - 1));
/** Time after which an idle worker ends to free its memory. */
const IDLE_MS = 10_000;
/** Time after which a run that waits for its provider must release its worker, if other runs wait for a worker. */
const HOLD_MS = 2_000;

/** A run that a worker executes. */
export interface WorkerRun {
  /** The size of the responses that the run has already received, in bytes. */
  bytes: number;
  /** Called when a worker is about to start the run. Returns the data that the worker needs. */
  begin(): Job;
  /** Sends a request of the run to the provider. Never rejects: a failure is part of the reply. */
  send(request: SendRequest): Promise<Reply>;
  /** Returns true if another worker can restart the run with the responses that were received so far. */
  canRestart(): boolean;
}

export interface JobPool extends Background {
  /**
   * Runs a job. Each run has a separate worker. Organizations share the CPUs fairly, and a worker that waits for its provider frees its CPU. Returns
   * SUSPENDED for a run that released its worker to other runs. Throws QueueFullError and NotBegunError if the run did not start, and LimitError if
   * the worker ended before the run.
   */
  run(orgId: string, run: WorkerRun, signal: AbortSignal): Promise<AttemptResult | typeof SUSPENDED>;
  load(): Load;
}

/** The result of a run that released its worker while it waited for its provider. The caller runs it again when its requests have ended. */
export const SUSPENDED = 'SUSPENDED';

/** Creates a pool that starts at most `most` workers, on demand. */
export function jobPool(newWorker: () => Worker, most: number, holdMs = HOLD_MS): JobPool {
  const [workers, turns] = [new WorkerSlots(most), new WorkerSlots(AT_ONCE)];
  const idle = new IdleWorkers();
  return {
    run(orgId, run, signal) {
      const inTurn: InTurn = (bytes, compute) => turns.use({ orgId, bytes, signal }, compute);
      return workers.use({ orgId, bytes: run.bytes, signal }, async () => {
        const { worker, result } = await inTurn(run.bytes, async () => {
          const worker = idle.take() ?? (await started(newWorker(), idle));
          if (signal.aborted) idle.put(worker);
          requireUnended(signal); // The signal can abort while the worker starts.
          const conversation = new Conversation(worker, run, inTurn);
          const result = conversation.result(signal, () => workers.isWanted && conversation.ageMs > holdMs);
          await conversation.begin();
          return { worker, result };
        });
        const ended = await result.catch((error: unknown) => {
          void worker.end();
          throw error;
        });
        if (ended === SUSPENDED) await worker.end();
        else idle.put(worker);
        return ended;
      });
    },
    load: () => workers.load,
    start: () => undefined,
    stop: () => idle.endAll(),
  };
}

type InTurn = <T>(bytes: number, compute: () => Promise<T>) => Promise<T>;

async function started(worker: Worker, idle: IdleWorkers): Promise<Worker> {
  worker.events.once('exit', () => idle.end(worker));
  try {
    await untilReady(worker);
    return worker;
  } catch (cause) {
    void worker.end();
    throw new NotBegunError('No worker could be started', { cause });
  }
}

const CHECK_MS = 250;

/** Sends a run to its worker. Then sends the requests of the worker to the provider until the worker returns a result. */
class Conversation {
  private readonly since = performance.now();
  private sending = 0;
  /** Number of messages that the worker processes or that wait for a CPU. */
  private working = 0;
  private fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly worker: Worker,
    private readonly run: WorkerRun,
    private readonly inTurn: InTurn,
  ) {}

  get ageMs(): number {
    return performance.now() - this.since;
  }

  /** Starts the run. Resolves when the worker has processed it up to its first requests. */
  async begin(): Promise<void> {
    try {
      await this.post({ job: this.run.begin() });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Returns the result of the worker. `shouldYield` returns true if a run that waits for its provider must release its worker. */
  result(signal: AbortSignal, shouldYield: () => boolean): Promise<AttemptResult | typeof SUSPENDED> {
    const { events } = this.worker;
    const result = new Promise<AttemptResult | typeof SUSPENDED>((resolve, reject) => {
      const onMessage = (message: FromWorker): void => {
        if ('result' in message) stop(() => resolve(message.result));
        else if ('request' in message) this.answer(message, () => hasEnded).catch(this.fail);
      };
      this.fail = (error) => stop(() => reject(error as Error));
      const onExit = (): void => this.fail(new LimitError('The worker ended before its job'));
      const onAbort = (): void => this.fail(new LimitError('The run ended before its job'));
      const check = setInterval(() => {
        if (this.sending === 0 || this.working > 0 || !shouldYield()) return;
        if (this.run.canRestart()) stop(() => resolve(SUSPENDED));
        else this.fail(new LimitError('The responses of the run are too large to wait without its worker'));
      }, CHECK_MS).unref();
      let hasEnded = false;
      const stop = (settle: () => void): void => {
        hasEnded = true;
        clearInterval(check);
        events.off('message', onMessage);
        events.off('exit', onExit);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      events.on('message', onMessage);
      events.on('exit', onExit);
      signal.addEventListener('abort', onAbort);
    });
    result.catch(() => undefined); // Prevents an unhandled rejection before the caller awaits the result.
    return result;
  }

  private async answer({ request, id }: { request: SendRequest; id: number }, hasEnded: () => boolean): Promise<void> {
    this.sending += 1;
    const reply = await this.run.send(request);
    this.sending -= 1;
    if (hasEnded()) return;
    this.working += 1;
    await this.inTurn(reply.answer?.body.length ?? 0, () => this.post({ replyTo: id, reply }));
    this.working -= 1;
  }

  private async post(message: Message): Promise<void> {
    this.working += 1;
    await work(this.worker, message);
    this.working -= 1;
  }
}

class IdleWorkers {
  private idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];
  private hasStopped = false;

  take(): Worker | undefined {
    const last = this.idle.pop();
    clearTimeout(last?.timer);
    return last?.worker;
  }

  put(worker: Worker): void {
    if (this.hasStopped || this.idle.length >= AT_ONCE || worker.isSpent()) return void worker.end();
    this.idle.push({ worker, timer: setTimeout(() => this.end(worker), IDLE_MS).unref() });
  }

  end(worker: Worker): void {
    this.idle = this.idle.filter((one) => one.worker !== worker);
    void worker.end();
  }

  async endAll(): Promise<void> {
    this.hasStopped = true;
    const all = this.idle.splice(0);
    for (const { timer } of all) clearTimeout(timer);
    await Promise.all(all.map(({ worker }) => worker.end()));
  }
}
