import {
  action,
  dateTime,
  listAt,
  member,
  multiSelect,
  textAt,
  type JsonObject,
  type JsonValue,
} from '@drawbridge/piece-kit';
import { calendars } from '../options.js';
import { timeZone } from '../properties.js';
import { FREE_BUSY } from '../requests.js';

/**
 * Returns the busy times of calendars and people, and their common free times:
 * https://developers.google.com/workspace/calendar/api/v3/reference/freebusy/query
 */
export const findFreeBusy = action({
  displayName: 'Find free and busy times',
  description:
    'Returns the busy times of calendars and people, and as "free" the times at which all of them are free; "free" is null if a calendar cannot be read.',
  category: 'read',
  props: {
    timeMin: dateTime('From', { required: true, description: 'Start of the time to look at.' }),
    timeMax: dateTime('Until', { required: true, description: 'End of the time to look at.' }),
    calendarIds: multiSelect('Calendars', {
      required: true,
      description: 'At most 50 calendar ids or email addresses: ["primary", "ann@acme.example"].',
      maxLength: 254,
      options: calendars('freeBusyReader'),
    }),
    timeZone,
  },
  run: async ({ http, input: { calendarIds, ...query } }) => {
    const json = { ...query, items: calendarIds.map((id) => ({ id })) };
    const answer = await http.json({ method: 'POST', path: FREE_BUSY, json });
    const found = Object.entries((member(answer, 'calendars') ?? {}) as JsonObject);
    const isWhole = found.every(([, calendar]) => listAt(calendar, 'errors').length === 0);
    const busy = found.flatMap(([, calendar]) => listAt(calendar, 'busy'));
    return {
      calendars: found.map(([id, calendar]) => ({
        id,
        busy: listAt(calendar, 'busy'),
        errors: listAt(calendar, 'errors'),
      })),
      free: isWhole ? gaps(busy, query) : null,
    };
  },
});

/** Returns the times between busy times. The strings are those in the input and in the busy times. */
function gaps(busy: readonly JsonValue[], { timeMin, timeMax }: { timeMin: string; timeMax: string }): JsonObject[] {
  const times = busy.map((one) => ({ start: textAt(one, 'start') ?? '', end: textAt(one, 'end') ?? '' }));
  const sorted = times.sort((one, other) => Date.parse(one.start) - Date.parse(other.start));
  const free: JsonObject[] = [];
  let from = timeMin;
  for (const { start, end } of [...sorted, { start: timeMax, end: timeMax }]) {
    if (Date.parse(start) > Date.parse(from)) free.push({ start: from, end: start });
    if (Date.parse(end) > Date.parse(from)) from = end;
  }
  return free;
}
