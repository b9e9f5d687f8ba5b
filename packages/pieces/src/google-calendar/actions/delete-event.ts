import { action } from '@drawbridge/piece-kit';
import { eventId, sendUpdates, writableCalendarId } from '../properties.js';
import { eventPath } from '../requests.js';

/**
 * Deletes an event, or one instance of a recurring event, and notifies its attendees:
 * https://developers.google.com/workspace/calendar/api/v3/reference/events/delete
 */
export const deleteEvent = action({
  displayName: 'Delete event',
  description: 'Deletes an event, or one instance of a recurring event, and notifies its attendees by mail.',
  category: 'delete',
  props: { eventId, sendUpdates, calendarId: writableCalendarId },
  run: async ({ http, input: { sendUpdates: mailTo = 'all', ...place } }) =>
    http.json({ method: 'DELETE', path: eventPath(place), query: { sendUpdates: mailTo } }),
});
