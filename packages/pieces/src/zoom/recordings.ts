import { InputError, type JsonObject, type JsonValue, listAt, textAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

/** The origin of downloads. It receives the token. */
export const DOWNLOADS = 'https://zoom.us';

const FILE = same(
  'id',
  'file_type',
  'file_size',
  'recording_type',
  'recording_start',
  'recording_end',
  'play_url',
  'status',
);
const RECORDING = same('uuid', 'id', 'topic', 'start_time', 'duration', 'total_size', 'host_id');

/** Returns the fields of the recordings of a meeting that the output contains. */
export function toRecording(meeting: JsonValue): JsonObject {
  return {
    ...pickFields(meeting, RECORDING),
    files: listAt(meeting, 'recording_files').map((file) => pickFields(file, FILE)),
  };
}

/**
 * Returns the URL of the transcript of a meeting. Zoom returns the host of the account, but the token is only sent to the fixed origin, which has the
 * same paths. Throws InputError if there is no transcript.
 */
export function transcriptUrl(meeting: JsonValue): string {
  const file = listAt(meeting, 'recording_files').find((one) => textAt(one, 'file_type') === 'TRANSCRIPT');
  const link = textAt(file ?? {}, 'download_url') ?? '';
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !/(^|\.)zoom\.us$/.test(url.hostname) || !url.pathname.startsWith('/rec/'))
    throw new InputError('meeting_id', 'has no transcript: it needs a cloud recording with audio transcript');
  return `${DOWNLOADS}${url.pathname}`;
}
