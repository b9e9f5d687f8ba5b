import { type InputOf, type JsonObject, type JsonValue, type Paging, tokenPaging } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import type { meetingFields } from './properties.js';

/** Pages of a list are requested by token: https://developers.zoom.us/docs/api/rest/using-zoom-apis/#pagination */
export const tokenPages = (items: string): Paging =>
  tokenPaging({ items, next: 'next_page_token', param: 'next_page_token' });

/** The maximum page size of most lists. */
export const PAGE = 300;

const MEETING = {
  ...same('id', 'uuid', 'topic', 'type', 'status', 'start_time', 'duration', 'timezone', 'agenda'),
  ...same('join_url', 'password', 'registration_url', 'host_id', 'host_email', 'created_at'),
};

/** Returns the fields of a meeting that the output contains. Omits `start_url`, because it signs anyone who has it in as the host. */
export const toMeeting = (meeting: JsonValue): JsonObject => pickFields(meeting, MEETING);

/** Zoom accepts no fractions of a second. */
export const toZoomTime = (time: string): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

type Given = InputOf<typeof meetingFields> & { topic?: string };

/** Returns the body of a meeting: https://developers.zoom.us/docs/api/meetings/#tag/meetings/POST/users/{userId}/meetings */
export function toMeetingBody({ start_time, requires_registration, ...given }: Given): JsonObject {
  const { auto_recording, waiting_room, join_before_host, mute_upon_entry, alternative_hosts, ...fields } = given;
  const settings = defined({
    ...{ auto_recording, waiting_room, join_before_host, mute_upon_entry },
    alternative_hosts: alternative_hosts?.join(';'),
    // 0 approves registrants immediately, and 2 means that there is no registration.
    approval_type: requires_registration === undefined ? undefined : requires_registration ? 0 : 2,
  });
  return {
    ...defined({ ...fields, start_time: start_time && toZoomTime(start_time) }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

function defined(values: { [name: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((one): one is [string, JsonValue] => one[1] !== undefined));
}
