import { action, InputError, listAt, longText, member, staticDropdown, textAt } from '@drawbridge/piece-kit';
import { toEvent } from '../event.js';
import { eventId, writableCalendarId } from '../properties.js';
import { eventPath, patchRequest } from '../requests.js';

/**
 * Changes only the status of one attendee, because of attendeesOmitted:
 * https://developers.google.com/workspace/calendar/api/v3/reference/events/patch
 */
export const respond = action({
  displayName: 'Respond to invitation',
  description: 'Accepts or declines an invitation for the connected account. Returns the event.',
  category: 'write',
  idempotent: true,
  props: {
    eventId,
    response: staticDropdown(
      'Response',
      [
        { label: 'Yes', value: 'accepted' },
        { label: 'No', value: 'declined' },
        { label: 'Maybe', value: 'tentative' },
      ],
      { required: true },
    ),
    comment: longText('Comment', { description: 'A note for the organizer.', maxLength: 2_000 }),
    calendarId: writableCalendarId,
  },
  run: async ({ http, input: { response, comment, ...place } }) => {
    // With `maxAttendees`, Google returns only the owner of the calendar if the event has more attendees than that.
    const event = await http.json({ method: 'GET', path: eventPath(place), query: { maxAttendees: 1 } });
    const self = listAt(event, 'attendees').find((attendee) => member(attendee, 'self') === true);
    const email = textAt(self, 'email');
    if (!email) throw new InputError('eventId', 'is an event without an invitation for this calendar');

    const answer = { email, responseStatus: response, ...(comment !== undefined && { comment }) };
    return toEvent(await http.json(patchRequest(place, {}, { attendeesOmitted: true, attendees: [answer] })));
  },
});
