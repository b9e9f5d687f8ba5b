import { type Target } from './slots.js';

/**
 * A call that fails after `slowMs` or later opens the circuit for `firstMs`. Each further such call in a row doubles the time. These values are for
 * receivers: a call to one ends after 15 s at the latest.
 */
const HANGS = { slowMs: 10_000, firstMs: 15_000, longestMs: 120_000 };
/** A circuit that saw no call for this long after its pause is closed again. */
const FORGOTTEN_MS = 600_000;
/** Limits the circuits that a process remembers; the oldest is evicted. */
const MAX_TARGETS = 20_000;

interface Circuit {
  times: number;
  until: number;
}

/**
 * Pauses a target that hangs, in this process, and then allows one call at a time until one ends in time. Otherwise receivers that hang would occupy
 * all slots until the time limit of each call.
 */
export class CircuitBreaker {
  private readonly circuits = new Map<string, Circuit>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly rule = HANGS,
  ) {}

  /** Returns the number of open circuits. */
  get open(): number {
    return this.circuits.size;
  }

  /** Records how long the target took. Several calls that hang at the same time count once. */
  note(of: Target, { tookMs, hasFailed }: { tookMs: number; hasFailed: boolean }): void {
    const { slowMs, firstMs, longestMs } = this.rule;
    const key = keyOf(of);
    const known = this.circuits.get(key);
    if (!hasFailed || tookMs < slowMs) this.circuits.delete(key);
    else if (!known || known.until <= this.now()) {
      const times = (known?.times ?? 0) + 1;
      this.circuits.delete(key);
      this.circuits.set(key, { times, until: this.now() + Math.min(firstMs * 2 ** (times - 1), longestMs) });
    }
    this.forget();
  }

  /** Returns how many calls a target may have at once: 0 while its circuit is open, then 1; undefined when it is closed. */
  limitOf(of: Target): number | undefined {
    const circuit = this.circuits.get(keyOf(of));
    if (!circuit || circuit.until + FORGOTTEN_MS < this.now()) return undefined;
    return circuit.until > this.now() ? 0 : 1;
  }

  private forget(): void {
    for (const [key, { until }] of this.circuits) {
      if (this.circuits.size <= MAX_TARGETS && until + FORGOTTEN_MS >= this.now()) return;
      this.circuits.delete(key);
    }
  }
}

function keyOf({ orgId, target }: Target): string {
  return `${orgId} ${target}`;
}
