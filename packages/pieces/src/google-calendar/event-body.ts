import { randomUUID } from 'node:crypto';
import type { InputOf, JsonObject, JsonValue, Query } from '@drawbridge/piece-kit';
import { toTimes, type Times } from './event-times.js';
import type { details } from './properties.js';

/** The fields of an event in the input of actions. */
type EventInput = Times & InputOf<typeof details> & { summary?: string };

/** Converts the input to the body of an event. Throws InputError for times that contradict each other. */
export function toBody(input: EventInput, { runId, isPatch }: { runId?: string; isPatch?: boolean }): JsonObject {
  const { summary, description, location, recurrence, reminders, visibility, transparency, addMeet } = input;
  const fields = { summary, description, location, recurrence, visibility, transparency };
  return {
    ...withoutAbsent(fields),
    ...toTimes(input, isPatch),
    ...(reminders && { reminders: { useDefault: false, overrides: reminders } }),
    ...(addMeet && { conferenceData: { createRequest: meetRequest(runId) } }),
  };
}

/**
 * Requests a meeting. A repeated request with the same id creates no second meeting:
 * https://developers.google.com/workspace/calendar/api/guides/create-events#conferencing
 */
const meetRequest = (runId: string = randomUUID()): JsonObject => ({
  requestId: runId,
  conferenceSolutionKey: { type: 'hangoutsMeet' },
});

/** Without this version Google ignores the conference in a request. */
export const conferenceQuery = ({ addMeet }: EventInput): Query => (addMeet ? { conferenceDataVersion: 1 } : {});

function withoutAbsent(fields: { [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
