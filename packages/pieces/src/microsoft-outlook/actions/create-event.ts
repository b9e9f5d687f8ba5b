import { action, checkbox, expandPath, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { present, withoutAnnotations } from '../../microsoft.js';
import { LOCAL_TIME, toAttendees, toTimes } from '../event.js';
import { addresses, calendarId, timeZone } from '../properties.js';

const time = { required: true, pattern: LOCAL_TIME } as const;

/**
 * Creates an event in the default calendar or in another calendar: https://learn.microsoft.com/graph/api/user-post-events and
 * https://learn.microsoft.com/graph/api/calendar-post-events
 */
export const createEvent = action({
  displayName: 'Create event',
  description: 'Creates a calendar event and invites its attendees by email. Returns the event with its id and links.',
  category: 'send',
  recipients: ['attendees', 'optionalAttendees'],
  props: {
    subject: shortText('Subject', { required: true, maxLength: 255 }),
    start: shortText('Start', {
      ...time,
      description: 'In the time zone, such as 2026-01-31T09:00:00, or the date of an all-day event.',
    }),
    end: shortText('End', {
      ...time,
      description: 'In the time zone. For an all-day event the day after the last.',
    }),
    timeZone,
    isAllDay: checkbox('All day', { description: 'The event takes whole days. Start and end are dates.' }),
    attendees: addresses.required,
    optionalAttendees: addresses.optional,
    location: shortText('Location', { description: 'The name of a place.', maxLength: 1_000 }),
    body: longText('Body', { description: 'The text of the event and of the invitation.', maxLength: 1_000_000 }),
    bodyType: staticDropdown('Body type', ['text', 'html'], { description: 'Defaults to text.' }),
    isOnlineMeeting: checkbox('Online meeting', { description: 'Adds an online meeting of the default provider.' }),
    reminderMinutesBeforeStart: number('Reminder', {
      description: 'Minutes before the start. Defaults to the setting of the calendar.',
      integer: true,
      minimum: 0,
    }),
    showAs: staticDropdown('Show as', ['free', 'tentative', 'busy', 'oof', 'workingElsewhere'], {
      description: 'Defaults to busy.',
    }),
    calendarId,
  },
  run: async ({ http, input }) => {
    const { calendarId: calendar, subject, location, body, bodyType = 'text', attendees, optionalAttendees } = input;
    const { isOnlineMeeting, reminderMinutesBeforeStart, showAs } = input;
    const path = calendar ? expandPath('/v1.0/me/calendars/{calendar}/events', { calendar }) : '/v1.0/me/events';
    const json = present({
      subject,
      ...toTimes(input),
      location: location === undefined ? undefined : { displayName: location },
      body: body === undefined ? undefined : { contentType: bodyType, content: body },
      attendees: toAttendees(attendees, optionalAttendees),
      ...{ isOnlineMeeting, reminderMinutesBeforeStart, showAs },
    });
    return withoutAnnotations(await http.json({ method: 'POST', path, json }));
  },
});
