import { NIL_ID } from '@drawbridge/contracts';
import { repeat } from '@drawbridge/events';
import { CircuitBreaker, Claimer, Listener, query, type Queryable, type Share, type Target } from '@drawbridge/jobs';
import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { attempt, type AttemptParts } from './attempt.js';
import { bodyOf, type OpenDelivery } from './callback.js';
import { claim, claimOne, findCallbacks, promote } from './claim-callbacks.js';
import { type End, type NoteEnd, noteEnds } from './record-attempts.js';

/** Callbacks in flight at once in one process, and the bytes of their bodies. */
const MOST = { process: 400, bytes: 64 * 1_048_576 };
/** Triggers of one organization that may have all their callbacks in flight; twice as many slots are for triggers that have none. */
const TRIGGERS_OF_ORGANIZATION = 2;
/** Maximum delay of a retry. */
const TICK_MS = 1_000;
/** Deliveries that one statement makes ready. */
const PROMOTED = 1_000;
const CHANNEL = 'triggers_callbacks';
/** Pauses of a trigger with attempts that an outage of our own services prevents. Those of other triggers may succeed, so claims continue. */
const OUTAGES = { slowMs: 0, firstMs: 1_000, longestMs: 30_000 };

/** A delivery that a user redelivers. */
export interface Asked {
  id: string;
  orgId: string;
}

export interface CallbackParts extends AttemptParts {
  /** Wakes the outbox relay after an event was written. */
  wake(): void;
  /** Callbacks of one trigger that may be in flight, by the organization's plan. */
  findMost(orgId: string): Promise<number>;
  breaker?: CircuitBreaker;
}

/** Notifies the workers when the transaction commits that recorded deliveries. */
export async function notifyCallbacks(tx: Queryable): Promise<void> {
  await query(tx, `SELECT pg_notify('${CHANNEL}', '')::text`);
}

/**
 * Delivers callbacks from the table of deliveries, which is a queue as the tables of packages/jobs are. Attempts that begin at the same moment are
 * claimed in one statement, and those that end at the same moment are recorded in one. An attempt is a lease: if its process dies, another repeats the
 * attempt when the lease expires.
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
      // The end of an attempt frees its slot; it is recorded after that.
      begin: (open) => this.make(open).ended,
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

  /** Returns how many callbacks of a trigger the circuit breakers allow at once. */
  limitOf(trigger: Target): number {
    return Math.min(...[this.hung, this.outages].map((breaker) => breaker.limitOf(trigger) ?? Infinity));
  }

  /** Redelivers one delivery immediately, without a slot and even while the circuit breaker of its receiver is open. */
  async redeliver(asked: Asked): Promise<void> {
    const open = await claimOne(this.parts.pool, asked);
    if (open) await this.make(open).noted;
  }

  private async shareOf(orgId: string): Promise<Share> {
    const target = await this.parts.findMost(orgId);
    return { target, organization: 2 * TRIGGERS_OF_ORGANIZATION * target };
  }

  private make(open: OpenDelivery): { ended: Promise<unknown>; noted: Promise<void> } {
    const ended = attempt(this.parts, open, bodyOf(open));
    const noted = ended.then((end) => this.note(open, end)).finally(() => this.running.delete(noted));
    this.running.add(noted);
    return { ended, noted };
  }

  private async note(open: OpenDelivery, end: End | undefined): Promise<void> {
    if (!end) return;
    const { orgId, sourceId } = open;
    if (end.tookMs !== undefined) this.hung.note(open, { tookMs: end.tookMs, hasFailed: end.status !== 'success' });
    this.outages.note(open, { tookMs: 0, hasFailed: !end.isSpent });
    await this.noteEnd(open, end).catch((error: unknown) => {
      const about = { orgId, sourceId, error: describeError(error) };
      this.parts.log.warn(about, 'the end of a callback was not noted: it is made again');
    });
  }

  /** Does not wait for the next tick while more is due: deliveries that are claimed in turn become ready by due time alone. */
  private async promote(stopping: AbortSignal): Promise<void> {
    for (let many = PROMOTED; many === PROMOTED && !stopping.aborted; this.claimer.look()) {
      many = await promote(this.parts.pool, PROMOTED);
    }
  }
}
