import { type JsonValue, textAt, trigger } from '@drawbridge/piece-kit';
import { pollChanges, SAMPLE } from './changes.js';

/**
 * Runs when a file or folder is created in a drive that the account can see:
 * https://developers.google.com/workspace/drive/api/reference/rest/v3/changes/list
 */
export const fileCreated = trigger({
  kind: 'polling',
  displayName: 'File created',
  description: 'Runs when a file or folder is created in a drive that the account can see.',
  props: {},
  sample: SAMPLE,
  // Each id is delivered once, so further changes of a new file create no further events.
  poll: pollChanges((change, since) => (isCreation(change, since) ? textAt(change, 'fileId') : undefined)),
});

/** Delivered ids are stored for 37 days. After that, a change of the file would be delivered as its creation again. */
const NEW_FOR_MS = 30 * 24 * 3_600_000;

function isCreation(change: JsonValue, since: string): boolean {
  const createdTime = textAt(change, 'file', 'createdTime') ?? '';
  const age = Date.parse(textAt(change, 'time') ?? createdTime) - Date.parse(createdTime);
  return createdTime >= since && age <= NEW_FOR_MS;
}
