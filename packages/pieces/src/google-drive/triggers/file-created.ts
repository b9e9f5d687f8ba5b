import { textAt, trigger } from '@drawbridge/piece-kit';
import { pollChanges, SAMPLE } from './changes.js';

/** https://developers.google.com/workspace/drive/api/reference/rest/v3/changes/list */
export const fileCreated = trigger({
  kind: 'polling',
  displayName: 'File created',
  description: 'Runs when a file or folder is created in a drive that the account can see.',
  props: {},
  sample: SAMPLE,
  // Each id is delivered once, so further changes of a new file are no further events.
  poll: pollChanges((change, since) =>
    (textAt(change, 'file', 'createdTime') ?? '') >= since ? textAt(change, 'fileId') : undefined,
  ),
});
