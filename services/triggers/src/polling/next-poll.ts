import { ApiError, invalid } from '@drawbridge/contracts';
import { type Polled, type TriggerEvent, type TriggerKind } from '@drawbridge/piece-kit';
import { requireStorableCursor, unfit } from '../hooks/trigger-hooks.js';
import { isEvent } from '../matching/read-event.js';
import { backOff } from '../schedule/back-off.js';

const MINUTE_MS = 60_000;
/** Minimum time, in milliseconds, between two polls of a source. It applies after a notification, and after a poll that did not read everything. */
export const SOON_MS = 2_000;

/** The polling state of a source. */
export interface PollState {
  /** The serialized cursor of the last successful poll. Null if there was none. */
  cursor: string | null;
  /** Number of failed polls since the last success. */
  failures: number;
  /** The polling interval, in minutes. */
  minutes: number;
}

export type PollAnswer = { polledJson: string } | { failed: true; retryAfterSeconds?: number };

/** The changes that one poll writes, in one transaction. */
export interface NextPoll {
  /** The new events, without duplicates, oldest first. */
  events: TriggerEvent[];
  cursor: string | null;
  failures: number;
  /** Milliseconds until the next poll. A duration is used instead of a time, so that it does not depend on the clock of this machine. */
  inMs: number;
}

/**
 * Computes the changes to write after a poll. A failed poll does not change the cursor, and each consecutive failure increases the delay. The first
 * poll only sets the starting point, because items that already exist are not events. Throws ACTION_FAILED for an invalid result, or for a cursor
 * that is too large to store.
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

/** Removes duplicates, because pages that change while they are read can contain an item twice. */
function eachOnce(events: readonly TriggerEvent[]): TriggerEvent[] {
  const first = new Map<string, TriggerEvent>();
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event);
  return [...first.values()];
}

/** Validates the result of a poll. External pieces are not type-checked, so this must happen at run time. */
function requirePolled(given: unknown): Polled {
  const { events, cursor, isMore } = (given ?? {}) as Partial<Polled>;
  const isWhole = Array.isArray(events) && events.every(isEvent) && cursor !== undefined && cursor !== null;
  if (isWhole) return { events, cursor, isMore: isMore === true };
  throw unfit('OUTPUT_INVALID', 'A poll must return a list of events, each with id and data, and a cursor');
}

const DEFAULT_MINUTES = 5;

interface Wanted {
  kind: TriggerKind;
  /** The value of pollingIntervalMinutes in the request, which is already validated as a number. */
  asked: number | undefined;
  /** The minimum interval of the plan in minutes. Null if the plan sets none. */
  minimum: number | null;
}

/**
 * Returns the polling interval in minutes, or null if the trigger is not polled. Throws VALIDATION_ERROR for an interval of a trigger that is not
 * polled, and POLLING_INTERVAL_TOO_SHORT.
 */
export function requirePollingInterval({ kind, asked, minimum }: Wanted): number | null {
  if (kind !== 'polling') {
    if (asked === undefined) return null;
    throw invalid({ pollingIntervalMinutes: `applies only to polling triggers; this trigger is of the kind ${kind}` });
  }
  const least = minimum ?? 1;
  if (asked === undefined) return Math.max(least, DEFAULT_MINUTES);
  if (asked >= least) {
    // Rounds up to whole minutes, so that the provider is never polled more often than requested. The API contract does not define rounding.
    return Math.ceil(asked);
  }
  throw new ApiError(
    'POLLING_INTERVAL_TOO_SHORT',
    `pollingIntervalMinutes must be at least ${least}, the minimum of the plan (got ${asked})`,
    { details: { minimumMinutes: least, pollingIntervalMinutes: asked } },
  );
}

/**
 * Returns the current polling interval of a source in minutes. After a change of the plan, the new minimum applies. The interval of the source
 * applies again as soon as the plan allows it.
 */
export function minutesNow(minutes: number, minimum: number | null): number {
  return Math.max(minutes, minimum ?? 1);
}
