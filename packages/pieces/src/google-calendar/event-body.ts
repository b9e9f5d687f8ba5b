import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue, Query } from '@drawbridge/piece-kit';
import { toTimes, type Times } from './event-times.js';

/** The fields of an event as the actions take them. */
export interface EventInput extends Times {
  summary?: string;
  description?: string;
  location?: string;
  recurrence?: string[];
  reminders?: JsonObject[];
  visibility?: string;
  transparency?: string;
  addMeet?: boolean;
}

/** Returns the fields of an event as Google takes them. Throws InputError for times that do not fit together. */
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

/** https://developers.google.com/workspace/calendar/api/guides/create-events#conferencing: a request with a known id creates no second meeting. */
const meetRequest = (runId: string = randomUUID()): JsonObject => ({
  requestId: runId,
  conferenceSolutionKey: { type: 'hangoutsMeet' },
});

/** Without this version Google ignores the conference of a request. */
export const conferenceQuery = ({ addMeet }: EventInput): Query => (addMeet ? { conferenceDataVersion: 1 } : {});

function withoutAbsent(fields: { [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
