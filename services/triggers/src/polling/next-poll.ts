import { type Polled, type TriggerEvent } from '@drawbridge/piece-kit';
import { isEvent } from '../events/is-event.js';
import { requireKeptCursor, unfit } from '../hooks/kept-sizes.js';
import { backOff } from '../schedule/back-off.js';

const MINUTE_MS = 60_000;

/** The polling state of a source. */
export interface PollState {
  /** The cursor of the last successful poll, as JSON. Null: there was none. */
  cursor: string | null;
  /** Polls that failed since then. */
  failures: number;
  /** The polling interval. */
  minutes: number;
}

export type PollAnswer = { polledJson: string } | { failed: true; retryAfterSeconds?: number };

/** What one poll writes, in one transaction. */
export interface NextPoll {
  /** Without duplicates, the oldest first. */
  events: TriggerEvent[];
  cursor: string | null;
  failures: number;
  /** Milliseconds until the next poll: a duration does not depend on whose clock is right. */
  inMs: number;
}

/**
 * Computes what follows from a poll. A failed poll keeps the cursor, and each failure in a row lengthens the wait. The first poll only sets the
 * starting point: items that exist already are no events. Throws ACTION_FAILED for an invalid answer, or for a cursor that is too large to store.
 */
export function nextPoll(state: PollState, answer: PollAnswer, random?: () => number): NextPoll {
  const everyMs = state.minutes * MINUTE_MS;
  if ('failed' in answer) {
    const failures = state.failures + 1;
    const inMs = backOff({ everyMs, failures, retryAfterSeconds: answer.retryAfterSeconds }, random);
    return { events: [], cursor: state.cursor, failures, inMs };
  }
  const polled = requirePolled(JSON.parse(answer.polledJson));
  const events = state.cursor === null ? [] : eachOnce(polled.events);
  const cursor = JSON.stringify(polled.cursor);
  requireKeptCursor(cursor);
  return { events, cursor, failures: 0, inMs: everyMs };
}

/** Pages that change while they are read show an item twice. */
function eachOnce(events: readonly TriggerEvent[]): TriggerEvent[] {
  const first = new Map<string, TriggerEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  return [...first.values()];
}

/** Our compiler has not checked external pieces, so their answers are validated at run time. */
function requirePolled(given: unknown): Polled {
  const { events, cursor } = (given ?? {}) as Partial<Polled>;
  const isWhole = Array.isArray(events) && events.every(isEvent) && cursor !== undefined && cursor !== null;
  if (isWhole) return { events, cursor };
  throw unfit('OUTPUT_INVALID', 'A poll answers a list of events, each with an id and data, and a cursor');
}
