import { InputError, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toRecipients } from './message.js';

/** The fields of events in lists. */
export const LISTED = [
  ...['id', 'subject', 'bodyPreview', 'start', 'end', 'isAllDay', 'location', 'organizer', 'attendees', 'showAs'],
  ...['isCancelled', 'type', 'seriesMasterId', 'onlineMeeting', 'webLink'],
].join(',');

/** A date, or a date with a local time in the time zone of the event. */
export const LOCAL_TIME = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?)?$';

interface Times {
  start: string;
  end: string;
  timeZone?: string;
  isAllDay?: boolean;
}

/**
 * Converts the times of an event to Graph's format. An all-day event begins and ends at midnight. Throws InputError for a date where a time is
 * required, and vice versa: https://learn.microsoft.com/graph/api/resources/datetimetimezone
 */
export function toTimes({ start, end, timeZone = 'UTC', isAllDay = false }: Times): JsonObject {
  const toTime = (name: 'start' | 'end', value: string): JsonObject => {
    const isDate = !value.includes('T');
    if (isDate !== isAllDay)
      throw new InputError(name, isAllDay ? 'must be a date for an all-day event' : 'needs a time');
    return { dateTime: withSeconds(isDate ? `${value}T00:00` : value), timeZone };
  };
  return { start: toTime('start', start), end: toTime('end', end), isAllDay };
}

const withSeconds = (time: string): string => (time.length === '2026-01-31T09:00'.length ? `${time}:00` : time);

/** Converts addresses to attendees of an event: https://learn.microsoft.com/graph/api/resources/attendee */
export function toAttendees(
  required: readonly string[] = [],
  optional: readonly string[] = [],
): JsonValue[] | undefined {
  const attendees = [
    ...(toRecipients(required) ?? []).map((recipient) => ({ ...(recipient as JsonObject), type: 'required' })),
    ...(toRecipients(optional) ?? []).map((recipient) => ({ ...(recipient as JsonObject), type: 'optional' })),
  ];
  return attendees.length > 0 ? attendees : undefined;
}
