import { trigger } from '@drawbridge/piece-kit';
import { meetingEvents, sample } from './meeting-events.js';

/**
 * Runs when the cloud recording of a meeting of the connected user is available:
 * https://developers.zoom.us/docs/api/meetings/events/#tag/recording/postrecording.completed
 */
export const recordingCompleted = trigger({
  kind: 'app-webhook',
  displayName: 'Recording completed',
  description: 'Runs when the cloud recording of a meeting of the connected user can be read.',
  props: {},
  sample: sample('recording.completed', {
    total_size: 529758,
    recording_count: 1,
    share_url: 'https://example.zoom.us/rec/share/aaaa',
    recording_files: [{ id: 'ed6c2f27-2ae7', file_type: 'MP4', recording_type: 'audio_only', status: 'completed' }],
  }),
  ...meetingEvents('recording.completed'),
});
