import { type Polled, type TriggerEvent } from '@drawbridge/piece-kit';
import { isEvent } from '../events/is-event.js';
import { requireKeptCursor, unfit } from '../hooks/kept-sizes.js';
import { backOff } from '../schedule/back-off.js';

const MINUTE_MS = 60_000;

/** What a source knows of its polls. */
export interface PollState {
  /** JSON, as the last poll that did not fail answered it. Null: there was none. */
  cursor: string | null;
  /** Polls that failed since then. */
  failures: number;
  /** Between two polls. */
  minutes: number;
}

/** How a poll went. */
export type PollAnswer = { polledJson: string } | { failed: true; retryAfterSeconds?: number };

/** What is written of a poll, all of it or nothing. */
export interface NextPoll {
  /** Each once, the oldest first. */
  events: TriggerEvent[];
  cursor: string | null;
  failures: number;
  /** When the next one is due, from now: whose clock is right does not matter. */
  inMs: number;
}

/**
 * What follows from a poll. One that failed keeps the cursor, and the next waits the longer the more have failed. The first one says where to
 * begin: nothing of what was there before is an event. Throws ACTION_FAILED for an answer that no poll may give, or whose cursor is too large to be kept.
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

/** Pieces of others are code that no compiler of ours has seen. */
function requirePolled(given: unknown): Polled {
  const { events, cursor } = (given ?? {}) as Partial<Polled>;
  const isWhole = Array.isArray(events) && events.every(isEvent) && cursor !== undefined && cursor !== null;
  if (isWhole) return { events, cursor };
  throw unfit('OUTPUT_INVALID', 'A poll answers a list of events, each with an id and data, and a cursor');
}
