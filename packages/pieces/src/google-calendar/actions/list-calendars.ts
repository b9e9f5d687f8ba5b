import { action, member, textAt, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { CALENDARS } from '../requests.js';

const LIMIT = 1_000;

/** Returns the calendars of the account: https://developers.google.com/workspace/calendar/api/v3/reference/calendarList/list */
export const listCalendars = action({
  displayName: 'List calendars',
  description:
    'Returns the calendars of the account: their ids, names, time zones, and the role of the account in each.',
  category: 'read',
  props: {},
  run: async ({ http }) => {
    const items: JsonObject[] = [];
    for await (const calendar of http.pages({ method: 'GET', path: CALENDARS, query: { maxResults: 250 } }, LIMIT)) {
      items.push(toCalendar(calendar));
    }
    return items;
  },
});

function toCalendar(calendar: JsonValue): JsonObject {
  return {
    id: textAt(calendar, 'id') ?? null,
    name: textAt(calendar, 'summaryOverride') ?? textAt(calendar, 'summary') ?? null,
    description: textAt(calendar, 'description') ?? null,
    timeZone: textAt(calendar, 'timeZone') ?? null,
    accessRole: textAt(calendar, 'accessRole') ?? null,
    isPrimary: member(calendar, 'primary') === true,
  };
}
