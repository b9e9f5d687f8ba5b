/** Too many of this tenant wait already. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  readonly code = 'TOO_BUSY';
}

export interface TenantLimits {
  /** Of one tenant. */
  atOnce: number;
  /** Of one tenant; the next fails at once. */
  waiting: number;
}

/** Ends a turn; to be called once. */
export type Release = () => void;

interface Line {
  running: number;
  /** First come, first served. */
  waiting: Set<() => void>;
}

/** Gives each tenant its share: beyond it, what that tenant wants next waits its turn, and nobody else does. */
export class TenantLimiter {
  /** Of tenants with something in hand alone. */
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limits: TenantLimits) {}

  /** Throws TOO_BUSY when too many wait, and the signal's reason when it aborts while waiting. */
  async acquire(tenant: string, signal: AbortSignal): Promise<Release> {
    const line = this.lines.get(tenant) ?? { running: 0, waiting: new Set() };
    this.lines.set(tenant, line);
    if (line.running < this.limits.atOnce) line.running++;
    else await this.wait(line, signal);
    return () => this.end(tenant, line);
  }

  /** How many tenants have something in hand. */
  get tenants(): number {
    return this.lines.size;
  }

  private wait({ waiting }: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (waiting.size >= this.limits.waiting) {
        return reject(new QueueFullError(`${waiting.size} wait already`));
      }
      const leave = () => {
        waiting.delete(go);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private end(tenant: string, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) {
      // The turn goes on to the next one: what is running stays as many.
      line.waiting.delete(next);
      return next();
    }
    line.running--;
    if (line.running === 0) this.lines.delete(tenant);
  }
}
