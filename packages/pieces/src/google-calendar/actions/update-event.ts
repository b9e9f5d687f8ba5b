import { action, json, shortText, textAt } from '@drawbridge/piece-kit';
import { EMAILS } from '../../google.js';
import { conferenceQuery, toBody } from '../event-body.js';
import { toEvent, withAttendees } from '../event.js';
import { details, eventId, newTimes, sendUpdates, timeZone, writableCalendarId } from '../properties.js';
import { eventPath, patchRequest } from '../requests.js';

/** Changes fields of an event and notifies its attendees: https://developers.google.com/workspace/calendar/api/v3/reference/events/patch */
export const updateEvent = action({
  displayName: 'Update event',
  description: 'Changes the given fields of an event and notifies its attendees by mail. Returns the event.',
  category: 'send',
  recipients: ['attendees'],
  props: {
    eventId,
    summary: shortText('Title', { maxLength: 1_024 }),
    ...newTimes,
    timeZone,
    attendees: json('Attendees', {
      description: 'All email addresses, replacing the present ones. Those in both keep their answers.',
      schema: EMAILS,
    }),
    ...details,
    sendUpdates,
    calendarId: writableCalendarId,
  },
  run: async ({ http, runId, input }) => {
    const { calendarId, eventId: id, attendees: emails, sendUpdates: mailTo = 'all', ...event } = input;
    const place = { calendarId, eventId: id };
    const fields = toBody(event, { runId, isPatch: true });
    const query = { sendUpdates: mailTo, ...conferenceQuery(event) };
    if (!emails) return toEvent(await http.json(patchRequest(place, query, fields)));

    const present = await http.json({ method: 'GET', path: eventPath(place) });
    const changed = { ...fields, attendees: withAttendees(present, emails) };
    return toEvent(await http.json(patchRequest(place, query, changed, textAt(present, 'etag'))));
  },
});
