import { trigger } from '@drawbridge/piece-kit';
import { meetingEvents, sample } from './meeting-events.js';

/** Runs when a meeting of the connected user ends: https://developers.zoom.us/docs/api/meetings/events/#tag/meeting/postmeeting.ended */
export const meetingEnded = trigger({
  kind: 'app-webhook',
  displayName: 'Meeting ended',
  description: 'Runs when a meeting of the connected user ends.',
  props: {},
  sample: sample('meeting.ended', { end_time: '2026-01-31T10:00:00Z' }),
  ...meetingEvents('meeting.ended'),
});
