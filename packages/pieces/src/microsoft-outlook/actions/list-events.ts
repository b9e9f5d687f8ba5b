import { action, dateTime, expandPath } from '@drawbridge/piece-kit';
import { listGraph } from '../../microsoft.js';
import { LISTED } from '../event.js';
import { preferring } from '../prefer.js';
import { calendarId, limit, timeZone } from '../properties.js';

/**
 * Lists the events of a calendar in a period, with each occurrence of a recurring event: https://learn.microsoft.com/graph/api/user-list-calendarview
 */
export const listEvents = action({
  displayName: 'List events',
  description:
    'Lists the events of a calendar in a period by their start, each occurrence of a recurring event by itself.',
  category: 'read',
  props: {
    start: dateTime('Start', { required: true, description: 'The start of the period.' }),
    end: dateTime('End', { required: true, description: 'The end of the period.' }),
    calendarId,
    timeZone,
    limit,
  },
  run: async ({ http, input: { start, end, calendarId: calendar, timeZone: zone, limit: most } }) => {
    const path = calendar
      ? expandPath('/v1.0/me/calendars/{calendar}/calendarView', { calendar })
      : '/v1.0/me/calendarView';
    const query = { startDateTime: start, endDateTime: end, $select: LISTED, $orderby: 'start/dateTime' };
    return listGraph(http, path, { query, limit: most, headers: preferring('outlook.timezone', zone) });
  },
});
