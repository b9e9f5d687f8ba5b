import { NIL_ID } from '@drawbridge/contracts';
import { repeat } from '@drawbridge/events';
import { CircuitBreaker, Claimer, Listener, query, type Queryable, type Share, type Target } from '@drawbridge/jobs';
import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { attempt, type AttemptParts } from './attempt.js';
import { bodyOf, type OpenDelivery } from './callback.js';
import { claim, claimOne, findCallbacks, promote } from './claim-callbacks.js';
import { type End, type NoteEnd, noteEnds } from './record-attempts.js';

/** Maximum number of active callbacks in one process, and maximum size of their bodies in bytes. */
const MOST = { process: 400, bytes: 64 * 1_048_576 };
/**
 * Number of triggers of one organization that can use all their slots at once. The organization has twice as many slots: the other half is reserved
 * for triggers without an active callback.
 */
const TRIGGERS_OF_ORGANIZATION = 2;
/** Interval, in milliseconds, at which due retries are made ready. */
const TICK_MS = 1_000;
/** Maximum number of deliveries that one statement makes ready. */
const PROMOTED = 1_000;
const CHANNEL = 'triggers_callbacks';
/**
 * Settings of the circuit breaker that pauses a trigger while outages of other services of Drawbridge prevent its attempts. It applies to one
 * trigger, because attempts of other triggers may succeed.
 */
const OUTAGES = { slowMs: 0, firstMs: 1_000, longestMs: 30_000 };

/** A delivery that a user requested to redeliver. */
export interface Asked {
  id: string;
  orgId: string;
}

export interface CallbackParts extends AttemptParts {
  /** Wakes the outbox relay after an event was written. */
  wake(): void;
  /** Returns the maximum number of concurrent callbacks of one trigger, according to the plan of the organization. */
  findMost(orgId: string): Promise<number>;
  breaker?: CircuitBreaker;
}

/** Notifies the callback workers of all processes when the transaction that recorded deliveries commits. */
export async function notifyCallbacks(tx: Queryable): Promise<void> {
  await query(tx, `SELECT pg_notify('${CHANNEL}', '')::text`);
}

/**
 * Delivers callbacks from the table of deliveries, which works as a fair queue like the tables of packages/jobs. Attempts that start at the same time
 * are claimed in one statement, and attempts that end at the same time are recorded in one statement. An attempt has a lease: if its process exits,
 * another process repeats the attempt when the lease expires.
 */
export class CallbackWorker implements Background {
  private readonly hung: CircuitBreaker;
  private readonly outages = new CircuitBreaker(undefined, OUTAGES);
  private readonly claimer: Claimer<OpenDelivery>;
  private readonly listener: Listener;
  private readonly promoting: Background;
  private readonly noteEnd: NoteEnd;
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly parts: CallbackParts) {
    const { pool, log, breaker = new CircuitBreaker() } = parts;
    this.hung = breaker;
    this.noteEnd = noteEnds(parts);
    this.claimer = new Claimer<OpenDelivery>({
      ...{ name: 'callbacks', first: NIL_ID, breaker: this, log },
      limits: { ...MOST, of: (orgId) => this.shareOf(orgId) },
      find: (search) => findCallbacks(pool, search),
      claim: (wishes) => claim(pool, wishes),
      // Occupies the slot until the result is recorded. If the process is killed, at most as many callbacks as it has slots are sent again.
      begin: (open) => this.make(open),
    });
    this.listener = new Listener(pool, CHANNEL, () => this.claimer.look());
    this.promoting = repeat({ name: 'due callbacks', everyMs: TICK_MS, log }, (stopping) => this.promote(stopping));
  }

  start(): void {
    void this.promoting.start();
    this.listener.open();
  }

  async stop(deadline: number): Promise<void> {
    this.listener.close();
    await Promise.all([this.promoting.stop(deadline), untilDeadline(this.claimer.stop(), deadline)]);
    await untilDeadline(Promise.all(this.running), deadline);
  }

  /** Returns the maximum number of concurrent callbacks of a trigger that the circuit breakers allow. */
  limitOf(trigger: Target): number {
    return Math.min(...[this.hung, this.outages].map((breaker) => breaker.limitOf(trigger) ?? Infinity));
  }

  /** Redelivers one delivery immediately, even if all slots of its trigger are used or the circuit breaker of its receiver is open. */
  async redeliver(asked: Asked): Promise<void> {
    const open = await claimOne(this.parts.pool, asked);
    if (open) await this.make(open);
  }

  private async shareOf(orgId: string): Promise<Share> {
    const target = await this.parts.findMost(orgId);
    return { target, organization: 2 * TRIGGERS_OF_ORGANIZATION * target };
  }

  /** Makes one attempt to deliver a callback and records its result. */
  private make(open: OpenDelivery): Promise<void> {
    const noted = attempt(this.parts, open, bodyOf(open))
      .then((end) => this.note(open, end))
      .finally(() => this.running.delete(noted));
    this.running.add(noted);
    return noted;
  }

  private async note(open: OpenDelivery, end: End | undefined): Promise<void> {
    if (!end) return;
    const { orgId, sourceId } = open;
    if (end.tookMs !== undefined) this.hung.note(open, { tookMs: end.tookMs, hasFailed: end.status !== 'success' });
    this.outages.note(open, { tookMs: 0, hasFailed: !end.isSpent });
    await this.noteEnd(open, end).catch((error: unknown) => {
      const about = { orgId, sourceId, error: describeError(error) };
      this.parts.log.warn(about, 'the result of a callback could not be recorded; it is sent again');
    });
  }

  /**
   * Makes due deliveries ready, and wakes the claimer whenever any delivery is ready. Continues without a pause while more deliveries are due, because
   * a backlog would otherwise delay later retries.
   */
  private async promote(stopping: AbortSignal): Promise<void> {
    for (let many = PROMOTED; many === PROMOTED && !stopping.aborted;) {
      const promoted = await promote(this.parts.pool, PROMOTED);
      if (promoted.hasReady) this.claimer.look();
      many = promoted.many;
    }
  }
}
