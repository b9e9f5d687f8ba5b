import { action, shortText, type JsonObject } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { googlePaging } from '../../google.js';
import { toListed } from '../event.js';
import { calendarId, timeMax, timeMin } from '../properties.js';
import { eventPath, eventsPath } from '../requests.js';

const MAX_PAGE = 250;

/**
 * Lists events, or the instances of a recurring event: https://developers.google.com/workspace/calendar/api/v3/reference/events/list and
 * https://developers.google.com/workspace/calendar/api/v3/reference/events/instances
 */
export const listEvents = action({
  displayName: 'List events',
  description:
    'Returns the events of a time, ordered by their start. Each instance of a recurring event is an event of its own.',
  category: 'read',
  props: {
    timeMin,
    timeMax,
    q: shortText('Search', {
      description: 'Words in the title, description, location or attendees.',
      maxLength: 1_000,
    }),
    recurringEventId: shortText('Recurring event', {
      description: 'Returns only instances of this recurring event, without "Search".',
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 1_024,
    }),
    limit: itemLimit({ defaultsTo: 50, maximum: 1_000 }),
    calendarId,
  },
  run: async ({ http, input }) => {
    const { calendarId: calendar, recurringEventId, q, limit = 50, ...bounds } = input;
    const query = { ...bounds, maxResults: Math.min(limit, MAX_PAGE) };
    const request =
      recurringEventId === undefined
        ? { path: eventsPath(calendar), query: { ...query, q, singleEvents: true, orderBy: 'startTime' } }
        : { path: eventPath({ calendarId: calendar, eventId: recurringEventId }, '/instances'), query };
    const items: JsonObject[] = [];
    for await (const event of http.pages({ method: 'GET', ...request }, limit, googlePaging('items')))
      items.push(toListed(event));
    return items;
  },
});
