import { action } from '@drawbridge/piece-kit';
import { pastMeeting } from '../properties.js';
import { transcriptUrl } from '../recordings.js';

/**
 * Returns the transcript of a recorded meeting as WebVTT:
 * https://developers.zoom.us/docs/api/meetings/#tag/cloud-recording/GET/meetings/{meetingId}/recordings
 */
export const getTranscript = action({
  displayName: 'Get transcript',
  description: 'Returns the transcript of a recorded meeting as text in the WebVTT format.',
  category: 'read',
  props: { meeting_id: pastMeeting },
  run: async ({ http, input: { meeting_id } }) => {
    const path = `/v2/meetings/${encodeMeeting(meeting_id)}/recordings`;
    const { body } = await http.request({
      method: 'GET',
      path: transcriptUrl(await http.json({ method: 'GET', path })),
    });
    return { transcript: new TextDecoder().decode(body) };
  },
});

/** A UUID with slashes is encoded twice: https://developers.zoom.us/docs/api/rest/using-zoom-apis/#meeting-id-and-uuid */
function encodeMeeting(id: string): string {
  const encoded = encodeURIComponent(id);
  return id.includes('/') ? encodeURIComponent(encoded) : encoded;
}
