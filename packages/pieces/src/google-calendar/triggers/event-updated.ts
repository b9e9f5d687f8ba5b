import { trigger } from '@drawbridge/piece-kit';
import { calendarId } from '../properties.js';
import { pollChanges } from '../sync.js';
import { EVENT } from './sample.js';

/**
 * Runs when an event changes, including a response to an invitation: https://developers.google.com/workspace/calendar/api/v3/reference/events/list
 */
export const eventUpdated = trigger({
  kind: 'polling',
  displayName: 'Event updated',
  description:
    'Runs when an event changes, also by an answer to an invitation. A changed instance of a recurring event is an event of its own.',
  props: { calendarId },
  sample: EVENT,
  poll: pollChanges('updated'),
});
