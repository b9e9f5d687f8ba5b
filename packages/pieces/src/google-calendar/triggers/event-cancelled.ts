import { trigger } from '@drawbridge/piece-kit';
import { calendarId } from '../properties.js';
import { pollChanges } from '../sync.js';
import { EVENT } from './sample.js';

/** Runs when an event is deleted or cancelled: https://developers.google.com/workspace/calendar/api/v3/reference/events/list */
export const eventCancelled = trigger({
  kind: 'polling',
  displayName: 'Event cancelled',
  description: 'Runs when an event is deleted or cancelled. Google may return only its id.',
  props: { calendarId },
  sample: { ...EVENT, status: 'cancelled' },
  poll: pollChanges('cancelled'),
});
