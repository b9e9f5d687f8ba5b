import { InputError, type JsonObject } from '@drawbridge/piece-kit';

const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const CLOCK = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?';
const OFFSET = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';

/** Matches a date, or a time with or without its offset. */
export const DATE_OR_TIME = `^${DAY}(T${CLOCK}${OFFSET}?)?$`;

const isDate = (text: string): boolean => !text.includes('T');
const hasOffset = (text: string): boolean => new RegExp(`${OFFSET}$`).test(text);

export interface Times {
  start?: string;
  end?: string;
  timeZone?: string;
  recurrence?: readonly string[];
}

/**
 * Returns the start and the end of an event: dates for an all-day event, otherwise times. `isPatch` removes the other form, because Google merges the
 * sent fields with the current fields. Throws InputError for a date together with a time, and for a time in an unknown zone:
 * https://developers.google.com/workspace/calendar/api/concepts/events-calendars
 */
export function toTimes({ start, end, timeZone, recurrence }: Times, isPatch = false): JsonObject {
  if (start !== undefined && end !== undefined && isDate(start) !== isDate(end)) {
    throw new InputError('end', 'must be a date if "start" is one, and a time if "start" is one');
  }
  for (const text of [start, end]) {
    if (text === undefined || isDate(text) || timeZone) continue;
    if (!hasOffset(text)) throw new InputError('timeZone', `is required for a time without an offset (got ${text})`);
    if (recurrence?.length) throw new InputError('timeZone', 'is required for a recurring event');
  }
  return {
    ...(start !== undefined && { start: toTime(start, timeZone, isPatch) }),
    ...(end !== undefined && { end: toTime(end, timeZone, isPatch) }),
  };
}

function toTime(text: string, timeZone: string | undefined, isPatch: boolean): JsonObject {
  if (isDate(text)) return { date: text, ...(isPatch && { dateTime: null, timeZone: null }) };
  return { dateTime: withSeconds(text), ...(timeZone && { timeZone }), ...(isPatch && { date: null }) };
}

/** RFC 3339 requires the seconds. */
const withSeconds = (text: string): string => text.replace(/^(.{11}\d\d:\d\d)(?!:)/, '$1:00');
