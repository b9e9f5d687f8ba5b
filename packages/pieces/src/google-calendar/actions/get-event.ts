import { action } from '@drawbridge/piece-kit';
import { toEvent } from '../event.js';
import { calendarId, eventId } from '../properties.js';
import { eventPath } from '../requests.js';

/** Returns an event: https://developers.google.com/workspace/calendar/api/v3/reference/events/get */
export const getEvent = action({
  displayName: 'Get event',
  description: 'Returns an event with its times, attendees, their answers, and the link of its meeting.',
  category: 'read',
  props: { eventId, calendarId },
  run: async ({ http, input }) => toEvent(await http.json({ method: 'GET', path: eventPath(input) })),
});
