import { ApiError, invalid } from '@drawbridge/contracts';
import { type Polled, type TriggerEvent, type TriggerKind } from '@drawbridge/piece-kit';
import { requireStorableCursor, unfit } from '../hooks/trigger-hooks.js';
import { isEvent } from '../matching/read-event.js';
import { backOff } from '../schedule/back-off.js';

const MINUTE_MS = 60_000;
/** The least time between two polls of a source: notifications and polls that leave more to read start the next one after it. */
export const SOON_MS = 2_000;

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

/** The changes that one poll writes, in one transaction. */
export interface NextPoll {
  /** Without duplicates, the oldest first. */
  events: TriggerEvent[];
  cursor: string | null;
  failures: number;
  /** Milliseconds until the next poll: a duration does not depend on any clock. */
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
  requireStorableCursor(cursor);
  return { events, cursor, failures: 0, inMs: polled.isMore ? SOON_MS : everyMs };
}

/** Pages that change while they are read show an item twice. */
function eachOnce(events: readonly TriggerEvent[]): TriggerEvent[] {
  const first = new Map<string, TriggerEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  return [...first.values()];
}

/** Our compiler has not checked external pieces, so their answers are validated at run time. */
function requirePolled(given: unknown): Polled {
  const { events, cursor, isMore } = (given ?? {}) as Partial<Polled>;
  const isWhole = Array.isArray(events) && events.every(isEvent) && cursor !== undefined && cursor !== null;
  if (isWhole) return { events, cursor, isMore: isMore === true };
  throw unfit('OUTPUT_INVALID', 'A poll answers a list of events, each with an id and data, and a cursor');
}

const DEFAULT_MINUTES = 5;

interface Wanted {
  kind: TriggerKind;
  /** pollingIntervalMinutes; its bounds are checked already. */
  asked: number | undefined;
  /** The plan's minimum; null: the plan sets none. */
  minimum: number | null;
}

/**
 * Returns the minutes between two polls; null if the trigger is not polled. Throws VALIDATION_ERROR for an interval of a trigger that is not polled,
 * and POLLING_INTERVAL_TOO_SHORT.
 */
export function requirePollingInterval({ kind, asked, minimum }: Wanted): number | null {
  if (kind !== 'polling') {
    if (asked === undefined) return null;
    throw invalid({ pollingIntervalMinutes: `applies only to polling triggers; this trigger is of the kind ${kind}` });
  }
  const least = minimum ?? 1;
  if (asked === undefined) return Math.max(least, DEFAULT_MINUTES);
  if (asked >= least) {
    // Spec silent: the interval is rounded up to whole minutes, so that the provider is never polled more often than requested.
    return Math.ceil(asked);
  }
  throw new ApiError(
    'POLLING_INTERVAL_TOO_SHORT',
    `The plan allows a poll each ${least} minutes at most, not each ${asked}`,
    { details: { minimumMinutes: least, pollingIntervalMinutes: asked } },
  );
}

/** Returns the interval of a source with a plan that may have changed since it was enabled: the original one as soon as the plan allows it again. */
export function minutesNow(minutes: number, minimum: number | null): number {
  return Math.max(minutes, minimum ?? 1);
}
