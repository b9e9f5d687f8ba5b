import { checkbox, dateTime, dropdown, json, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { EMAILS } from '../google.js';
import { DATE_OR_TIME } from './event-times.js';
import { calendars, events } from './options.js';

const CALENDAR = {
  description: 'Defaults to the main calendar.',
  maxLength: 254,
} as const;

export const calendarId = dropdown('Calendar', { ...CALENDAR, options: calendars('reader') });
export const writableCalendarId = dropdown('Calendar', { ...CALENDAR, options: calendars('writer') });

export const eventId = dropdown('Event', {
  required: true,
  description: 'An instance of a recurring event has its own id.',
  pattern: '^[A-Za-z0-9_-]+$',
  maxLength: 1_100,
  refreshers: ['calendarId'],
  options: events,
});

const TIME = { pattern: DATE_OR_TIME, maxLength: 25 } as const;

const START = 'A time such as 2026-01-31T09:00:00+01:00, or a date for an all-day event.';
const END = 'A time, or for an all-day event the day after the last.';

export const start = shortText('Start', { required: true, description: START, ...TIME });
export const end = shortText('End', { required: true, description: END, ...TIME });
export const newTimes = {
  start: shortText('Start', { description: START, ...TIME }),
  end: shortText('End', { description: END, ...TIME }),
};

export const timeZone = shortText('Time zone', {
  description: 'Such as Europe/Zurich. Required for times without an offset and for recurring events.',
  pattern: '^[A-Za-z0-9_+/-]+$',
  maxLength: 64,
});

/** The start and end of the period of a list. */
export const timeMin = dateTime('From', { required: true, description: 'Events that end after this time.' });
export const timeMax = dateTime('Until', { description: 'Events that start before this time.' });

export const attendees = json('Attendees', { description: 'Such as ["ann@acme.example"].', schema: EMAILS });

/** The fields that an event can have in addition to its title and times. */
export const details = {
  description: longText('Description', { description: 'Text or HTML.', maxLength: 100_000 }),
  location: shortText('Location', { description: 'Address or place.', maxLength: 1_024 }),
  recurrence: json('Recurrence', {
    description: 'RFC 5545, such as ["RRULE:FREQ=WEEKLY;COUNT=4"].',
    schema: {
      type: 'array',
      items: { type: 'string', pattern: '^(RRULE|EXRULE|RDATE|EXDATE)[:;][^\\r\\n]+$', maxLength: 2_000 },
      maxItems: 50,
    },
  }),
  reminders: json('Reminders', {
    description: 'Replaces the default ones: [{"method": "popup", "minutes": 10}]. Methods: email, popup.',
    schema: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'object',
        properties: {
          method: { type: 'string', enum: ['email', 'popup'] },
          minutes: { type: 'integer', minimum: 0, maximum: 40_320 },
        },
        required: ['method', 'minutes'],
        additionalProperties: false,
      },
    },
  }),
  visibility: staticDropdown('Visibility', ['default', 'public', 'private'], {
    description: 'Defaults to the setting of the calendar.',
  }),
  transparency: staticDropdown(
    'Show as',
    [
      { label: 'Busy', value: 'opaque' },
      { label: 'Available', value: 'transparent' },
    ],
    { description: 'Defaults to busy.' },
  ),
  addMeet: checkbox('Add Google Meet', {
    description: 'Adds a video meeting. meetingUrl can appear seconds later.',
  }),
};

export const sendUpdates = staticDropdown(
  'Send mail to',
  [
    { label: 'All attendees', value: 'all' },
    { label: 'Attendees who do not use Google Calendar', value: 'externalOnly' },
    { label: 'No attendee', value: 'none' },
  ],
  { description: 'Attendees to notify by mail. Defaults to all.' },
);
