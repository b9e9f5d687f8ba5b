import { trigger } from '@drawbridge/piece-kit';
import { calendarId } from '../properties.js';
import { pollChanges } from '../sync.js';
import { EVENT } from './sample.js';

/** Runs when an event is created in a calendar: https://developers.google.com/workspace/calendar/api/v3/reference/events/list */
export const eventCreated = trigger({
  kind: 'polling',
  displayName: 'Event created',
  description: 'Runs when an event is created in a calendar. An invitation to an older event counts as an update.',
  props: { calendarId },
  sample: EVENT,
  poll: pollChanges('created'),
});
