import { FairQueue, type Load, QueueFullError } from '@drawbridge/turns';

/** Limits of one organization: the number of runs that wait, and the bytes of the responses that they occupy in memory. */
const MAX_WAITING = { runs: 1_000, bytes: 256 * 1024 * 1024 };

/**
 * Thrown if the work did not start, because the signal aborted while the work waited or because no worker could be started. The work can be repeated.
 */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError';
}

export interface Share {
  orgId: string;
  /** The memory that the work occupies while it waits, in bytes. */
  bytes: number;
  signal: AbortSignal;
}

/** Slots that all organizations share. Organizations wait for a slot in a fair queue. */
export class WorkerSlots {
  private readonly queue = new FairQueue<{ bytes: number; begin(): void }>();

  private free: number;

  constructor(private readonly slots: number) {
    this.free = slots;
  }

  get load(): Load {
    return { running: this.slots - this.free, waiting: this.queue.size };
  }

  get isWanted(): boolean {
    return this.queue.size > 0;
  }

  /** Runs the work in a slot. Throws QueueFullError if the queue of the organization is full, and NotBegunError if the signal aborts. */
  async use<T>(share: Share, work: () => Promise<T>): Promise<T> {
    await this.acquire(share);
    try {
      requireUnended(share.signal); // The signal can abort between the assignment of the slot and its use.
      return await work();
    } finally {
      this.free += 1;
      this.next();
    }
  }

  private acquire({ orgId, bytes, signal }: Share): Promise<void> {
    const waits = this.queue.of(orgId);
    const waitingBytes = waits.reduce((sum, one) => sum + one.bytes, 0);
    const isFull = waits.length >= MAX_WAITING.runs || waitingBytes + bytes > MAX_WAITING.bytes;
    if (isFull) return Promise.reject(new QueueFullError(`${waits.length} runs of the organization already wait`));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.remove(orgId, waiting);
        reject(new NotBegunError('The run ended while it waited for a worker'));
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { bytes, begin };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.queue.enqueue(orgId, waiting);
      this.next();
    });
  }

  private next(): void {
    const waiting = this.free > 0 ? this.queue.dequeue() : undefined;
    if (!waiting) return;
    this.free -= 1;
    waiting.begin();
  }
}

export function requireUnended(signal: AbortSignal): void {
  if (signal.aborted) throw new NotBegunError('The run ended before its worker began');
}
