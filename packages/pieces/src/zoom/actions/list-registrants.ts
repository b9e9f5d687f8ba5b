import { action, collect, expandPath, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { PAGE, tokenPages } from '../meetings.js';
import { limit, meetingId } from '../properties.js';

const REGISTRANT = same(
  'id',
  'email',
  'first_name',
  'last_name',
  'org',
  'job_title',
  'status',
  'create_time',
  'join_url',
);

/** Lists the people who registered for a meeting: https://developers.zoom.us/docs/api/meetings/#tag/meetings/GET/meetings/{meetingId}/registrants */
export const listRegistrants = action({
  displayName: 'List registrants',
  description: 'Lists the people who registered for a meeting.',
  category: 'read',
  props: {
    meeting_id: meetingId,
    status: staticDropdown('Status', ['approved', 'pending', 'denied'], {
      description: 'The status of the registration. Defaults to approved.',
    }),
    limit,
  },
  run: async ({ http, input: { meeting_id, status, limit: count = 100 } }) => {
    const path = expandPath('/v2/meetings/{meeting_id}/registrants', { meeting_id });
    const query = { status, page_size: Math.min(count, PAGE) };
    const registrants = await collect(http.pages({ method: 'GET', path, query }, count, tokenPages('registrants')));
    return registrants.map((registrant) => pickFields(registrant, REGISTRANT));
  },
});
