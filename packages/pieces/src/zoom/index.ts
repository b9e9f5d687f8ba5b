import { authorizationHeader, piece, textAt } from '@drawbridge/piece-kit';
import { addRegistrant } from './actions/add-registrant.js';
import { createMeeting } from './actions/create-meeting.js';
import { deleteMeeting } from './actions/delete-meeting.js';
import { getMeeting } from './actions/get-meeting.js';
import { getTranscript } from './actions/get-transcript.js';
import { listMeetings } from './actions/list-meetings.js';
import { listRecordings } from './actions/list-recordings.js';
import { listRegistrants } from './actions/list-registrants.js';
import { listUsers } from './actions/list-users.js';
import { updateMeeting } from './actions/update-meeting.js';
import { DOWNLOADS } from './recordings.js';
import { meetingEnded } from './triggers/meeting-ended.js';
import { meetingStarted } from './triggers/meeting-started.js';
import { recordingCompleted } from './triggers/recording-completed.js';
import { registrantAdded } from './triggers/registrant-added.js';

export const zoom = piece({
  name: 'zoom',
  displayName: 'Zoom',
  description: 'Schedules meetings, registers participants, and reads recordings and transcripts.',
  categories: ['COMMUNICATION'],
  origin: 'https://api.zoom.us',
  origins: [DOWNLOADS],
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: '/v2/users/me',
    afterConnect: async (http) => ({
      label: textAt(await http.json({ method: 'GET', path: '/v2/users/me' }), 'email'),
    }),
    // The OAuth flow of the provider is documented at https://developers.zoom.us/docs/integrations/oauth/
    oauth2: {
      authUrl: 'https://zoom.us/oauth/authorize',
      tokenUrl: 'https://zoom.us/oauth/token',
      scopes: [
        'meeting:read:meeting',
        'meeting:read:list_meetings',
        'meeting:write:meeting',
        'meeting:update:meeting',
        'meeting:delete:meeting',
        'meeting:read:list_registrants',
        'meeting:write:registrant',
        'cloud_recording:read:list_user_recordings',
        'cloud_recording:read:list_recording_files',
        'user:read:user',
      ],
      pkce: true,
      clientAuth: 'basic',
      refresh: 'rotating',
      revoke: { url: 'https://zoom.us/oauth/revoke', token: 'access', as: 'client-basic' },
    },
  },
  http: {
    authorize: authorizationHeader,
    // Error responses have this format: https://developers.zoom.us/docs/api/errors/
    failure: { message: ['errors.0.message', 'message'], code: ['code'] },
  },
  actions: {
    create_meeting: createMeeting,
    update_meeting: updateMeeting,
    delete_meeting: deleteMeeting,
    get_meeting: getMeeting,
    list_meetings: listMeetings,
    add_registrant: addRegistrant,
    list_registrants: listRegistrants,
    list_recordings: listRecordings,
    get_transcript: getTranscript,
    list_users: listUsers,
  },
  triggers: {
    meeting_started: meetingStarted,
    meeting_ended: meetingEnded,
    recording_completed: recordingCompleted,
    registrant_added: registrantAdded,
  },
});
