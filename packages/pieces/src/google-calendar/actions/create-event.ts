import { action, shortText } from '@drawbridge/piece-kit';
import { conferenceQuery, toBody } from '../event-body.js';
import { toEvent } from '../event.js';
import { attendees, details, end, sendUpdates, start, timeZone, writableCalendarId } from '../properties.js';
import { eventsPath } from '../requests.js';

/** Creates an event and invites its attendees by email: https://developers.google.com/workspace/calendar/api/v3/reference/events/insert */
export const createEvent = action({
  displayName: 'Create event',
  description: 'Creates an event and invites its attendees by mail. Returns the event with its id and link.',
  category: 'send',
  recipients: ['attendees'],
  props: {
    summary: shortText('Title', { required: true, maxLength: 1_024 }),
    start,
    end,
    timeZone,
    attendees,
    ...details,
    sendUpdates,
    calendarId: writableCalendarId,
  },
  run: async ({ http, runId, input: { calendarId, attendees: emails, sendUpdates: mailTo = 'all', ...event } }) => {
    const invited = emails && { attendees: emails.map((email) => ({ email })) };
    const query = { sendUpdates: mailTo, ...conferenceQuery(event) };
    const json = { ...toBody(event, { runId }), ...invited };
    return toEvent(await http.json({ method: 'POST', path: eventsPath(calendarId), query, json }));
  },
});
