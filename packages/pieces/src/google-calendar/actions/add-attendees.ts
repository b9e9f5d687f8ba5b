import { action, json, listAt, textAt } from '@drawbridge/piece-kit';
import { EMAILS } from '../../google.js';
import { toEvent, withAttendees } from '../event.js';
import { eventId, sendUpdates, writableCalendarId } from '../properties.js';
import { eventPath, patchRequest } from '../requests.js';

/** Adds attendees to an event and invites them by email: https://developers.google.com/workspace/calendar/api/v3/reference/events/patch */
export const addAttendees = action({
  displayName: 'Add attendees',
  description: 'Adds attendees to an event and invites them by mail. Returns the event.',
  category: 'send',
  recipients: ['attendees'],
  props: {
    eventId,
    attendees: json('Attendees', {
      required: true,
      description: 'Such as ["ann@acme.example"].',
      schema: { ...EMAILS, minItems: 1 },
    }),
    sendUpdates,
    calendarId: writableCalendarId,
  },
  run: async ({ http, input: { attendees, sendUpdates: mailTo = 'all', ...place } }) => {
    const event = await http.json({ method: 'GET', path: eventPath(place) });
    const present = listAt(event, 'attendees').flatMap((attendee) => textAt(attendee, 'email') ?? []);
    const all = withAttendees(event, [...present, ...attendees]);
    if (all.length === present.length) return toEvent(event);
    return toEvent(
      await http.json(patchRequest(place, { sendUpdates: mailTo }, { attendees: all }, textAt(event, 'etag'))),
    );
  },
});
