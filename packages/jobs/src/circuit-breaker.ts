import { type Target } from './organization-slots.js';

/**
 * A failed call that took `slowMs` or longer opens the circuit for `firstMs`. Each further such call in a row doubles the time, up to `longestMs`.
 * The values are chosen for receivers of webhooks, for which a call times out after 15 s.
 */
const HANGS = { slowMs: 10_000, firstMs: 15_000, longestMs: 120_000 };
/** A circuit counts as closed if no call was made for this long after its pause ended. */
const FORGOTTEN_MS = 600_000;
/** Maximum number of circuits that a process stores. The oldest circuit is evicted. */
const MAX_TARGETS = 20_000;

interface Circuit {
  times: number;
  until: number;
}

/**
 * Pauses calls of this process to a target that hangs. After the pause it allows one call at a time until a call completes in time. Otherwise
 * receivers that hang would occupy all slots until their calls time out.
 */
export class CircuitBreaker {
  private readonly circuits = new Map<string, Circuit>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly rule = HANGS,
  ) {}

  /** Returns the number of circuits that are open or allow only one call at a time. */
  get open(): number {
    return this.circuits.size;
  }

  /** Records the duration of a call to the target. Several calls that hang at the same time count once. */
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

  /** Returns the maximum number of concurrent calls to a target: 0 while its circuit is open, then 1, and undefined when the circuit is closed. */
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
