import { describeError } from '@drawbridge/rpc';
import { attempt, type AttemptParts } from './attempt.js';
import { bodyOf, type OpenDelivery } from './callback.js';
import { Hangs } from './hangs.js';
import { type EnqueueCallbacks } from './next-due.js';
import { noteEnds } from './note-ends.js';
import { type Placed, Places } from './places.js';
import { type Turn } from './turn.js';

export interface SenderParts extends AttemptParts {
  /** Wakes the outbox relay after an event was written. */
  wake(): void;
  enqueue: EnqueueCallbacks;
  /** Callbacks of one trigger that may be in flight, by the organization's plan. */
  findMost(orgId: string): Promise<number>;
  /** Defaults to circuit breakers that are all closed. */
  hangs?: Hangs;
}

/** An attempt in flight. */
export interface Begun extends Placed {
  /** Resolves when the attempt has ended and its end is recorded. */
  ended: Promise<void>;
}

export interface Sender {
  places: Places;
  hangs: Hangs;
  /** Starts an attempt. Returns the slot that it occupies. */
  begin(open: OpenDelivery): Begun;
  /** Resolves when all attempts in flight have ended and are recorded. */
  ended(): Promise<unknown>;
}

/** Runs attempts independently of each other: an attempt may outlast the time slice in which it began. */
export function sender(parts: SenderParts, turnOf: (orgId: string) => Turn | undefined): Sender {
  const { pool, log, enqueue, hangs = new Hangs() } = parts;
  const noteEnd = noteEnds(parts);
  const underWay = new Set<Promise<void>>();

  /** Enqueues the organization's job. If that fails, its deliveries continue when a lease expires. */
  function tell(orgId: string): void {
    enqueue(pool, [orgId]).catch((error: unknown) => {
      log.warn({ orgId, error: describeError(error) }, 'callbacks that are due have to wait');
    });
  }

  async function make(open: OpenDelivery, body: string): Promise<void> {
    const { orgId, sourceId } = open;
    try {
      const end = await hangs.watch(open, () => attempt(parts, open, body));
      if (end) await noteEnd(open, end);
      if (end?.isSpent === false) turnOf(orgId)?.onOutage();
      // If the attempt outlasted its time slice, no job is scheduled yet for its retry.
      else if (end?.status === 'retrying' && !turnOf(orgId)) tell(orgId);
    } catch (error) {
      log.warn(
        { orgId, sourceId, error: describeError(error) },
        'the end of a callback was not noted: it is made again',
      );
    }
  }

  const places = new Places(tell);
  return {
    ...{ places, hangs },
    begin(open) {
      const body = bodyOf(open);
      const placed = { orgId: open.orgId, sourceId: open.sourceId, bytes: body.length };
      const made = make(open, body).finally(() => {
        underWay.delete(made);
        places.release(placed);
        turnOf(open.orgId)?.onEnd();
      });
      underWay.add(made);
      return { ...placed, ended: made };
    },
    ended: () => Promise.all(underWay),
  };
}
