import { action, checkbox, expandPath } from '@drawbridge/piece-kit';
import { meetingId } from '../properties.js';

/** Deletes a meeting: https://developers.zoom.us/docs/api/meetings/#tag/meetings/DELETE/meetings/{meetingId} */
export const deleteMeeting = action({
  displayName: 'Delete meeting',
  description: 'Deletes a meeting.',
  category: 'delete',
  props: {
    meeting_id: meetingId,
    notify_registrants: checkbox('Notify registrants', {
      description: 'Sends an email to the registrants. Defaults to false.',
    }),
  },
  run: async ({ http, input: { meeting_id, notify_registrants } }) => {
    const path = expandPath('/v2/meetings/{meeting_id}', { meeting_id });
    await http.request({ method: 'DELETE', path, query: { cancel_meeting_reminder: notify_registrants } });
  },
});
