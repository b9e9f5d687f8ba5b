import { piece } from '@drawbridge/piece-kit';
import { googleHttp, googleOAuth, googlePaging } from '../google.js';
import { addAttendees } from './actions/add-attendees.js';
import { createEvent } from './actions/create-event.js';
import { deleteEvent } from './actions/delete-event.js';
import { findFreeBusy } from './actions/find-free-busy.js';
import { getEvent } from './actions/get-event.js';
import { listCalendars } from './actions/list-calendars.js';
import { listEvents } from './actions/list-events.js';
import { quickAdd } from './actions/quick-add.js';
import { respond } from './actions/respond.js';
import { updateEvent } from './actions/update-event.js';
import { CALENDARS } from './requests.js';
import { eventCancelled } from './triggers/event-cancelled.js';
import { eventCreated } from './triggers/event-created.js';
import { eventStartsSoon } from './triggers/event-starts-soon.js';
import { eventUpdated } from './triggers/event-updated.js';

export const googleCalendar = piece({
  name: 'google-calendar',
  displayName: 'Google Calendar',
  description: 'Manages events, invitations and free times of calendars.',
  categories: ['PRODUCTIVITY', 'COMMUNICATION'],
  origin: 'https://www.googleapis.com',
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: `${CALENDARS}?maxResults=1`,
    // The second scope is required for the list of calendars and for free times.
    shares: ['See your calendars', 'Create, change and delete events'],
    oauth2: googleOAuth('calendar.events', 'calendar.readonly'),
  },
  http: { ...googleHttp, paging: googlePaging('items') },
  actions: {
    create_event: createEvent,
    update_event: updateEvent,
    delete_event: deleteEvent,
    get_event: getEvent,
    list_events: listEvents,
    find_free_busy: findFreeBusy,
    quick_add: quickAdd,
    respond,
    list_calendars: listCalendars,
    add_attendees: addAttendees,
  },
  triggers: {
    event_created: eventCreated,
    event_updated: eventUpdated,
    event_cancelled: eventCancelled,
    event_starts_soon: eventStartsSoon,
  },
});
