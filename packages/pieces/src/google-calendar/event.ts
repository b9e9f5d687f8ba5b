import { listAt, member, textAt, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';

/** Maximum number of characters of a description in lists and triggers. */
const MAX_DESCRIPTION = 2_000;

/** Returns the fields of an event that people need: https://developers.google.com/workspace/calendar/api/v3/reference/events */
export function toEvent(event: JsonValue, maxDescription = Infinity): JsonObject {
  const text = (...path: string[]): string | null => textAt(event, ...path) ?? null;
  const video = listAt(event, 'conferenceData', 'entryPoints').find(
    (entry) => textAt(entry, 'entryPointType') === 'video',
  );
  return {
    id: text('id'),
    status: text('status'),
    summary: text('summary'),
    description: text('description')?.slice(0, maxDescription).toWellFormed() ?? null,
    location: text('location'),
    start: text('start', 'dateTime') ?? text('start', 'date'),
    end: text('end', 'dateTime') ?? text('end', 'date'),
    isAllDay: textAt(event, 'start', 'date') !== undefined,
    timeZone: text('start', 'timeZone'),
    htmlLink: text('htmlLink'),
    meetingUrl: text('hangoutLink') ?? textAt(video, 'uri') ?? null,
    organizer: text('organizer', 'email'),
    attendees: listAt(event, 'attendees').map(toAttendee),
    recurrence: listAt(event, 'recurrence'),
    recurringEventId: text('recurringEventId'),
    originalStart: text('originalStartTime', 'dateTime') ?? text('originalStartTime', 'date'),
    visibility: text('visibility') ?? 'default',
    transparency: text('transparency') ?? 'opaque',
    created: text('created'),
    updated: text('updated'),
  };
}

/** Returns an event of a list, with a short description. */
export const toListed = (event: JsonValue): JsonObject => toEvent(event, MAX_DESCRIPTION);

function toAttendee(attendee: JsonValue): JsonObject {
  return {
    email: textAt(attendee, 'email') ?? null,
    name: textAt(attendee, 'displayName') ?? null,
    responseStatus: textAt(attendee, 'responseStatus') ?? null,
    isOptional: member(attendee, 'optional') === true,
    isSelf: member(attendee, 'self') === true,
  };
}

/** Returns attendees for a change of an event. Existing attendees keep their responses. */
export function withAttendees(event: JsonValue, emails: readonly string[]): JsonValue[] {
  const present = new Map(listAt(event, 'attendees').map((one) => [textAt(one, 'email')?.toLowerCase(), one]));
  const wanted = new Map(emails.map((email) => [email.toLowerCase(), email]));
  return [...wanted].map(([key, email]) => present.get(key) ?? { email });
}
