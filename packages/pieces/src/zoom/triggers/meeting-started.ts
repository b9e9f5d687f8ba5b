import { trigger } from '@drawbridge/piece-kit';
import { meetingEvents, sample } from './meeting-events.js';

/** Runs when a meeting of the connected user starts: https://developers.zoom.us/docs/api/meetings/events/#tag/meeting/postmeeting.started */
export const meetingStarted = trigger({
  kind: 'app-webhook',
  displayName: 'Meeting started',
  description: 'Runs when a meeting of the connected user starts.',
  props: {},
  sample: sample('meeting.started'),
  ...meetingEvents('meeting.started'),
});
