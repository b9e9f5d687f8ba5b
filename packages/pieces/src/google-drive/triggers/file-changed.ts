import { textAt, trigger } from '@drawbridge/piece-kit';
import { pollChanges, SAMPLE } from './changes.js';

/**
 * Runs when a file or folder is created, changed, moved, shared or moved to the trash:
 * https://developers.google.com/workspace/drive/api/reference/rest/v3/changes/list
 */
export const fileChanged = trigger({
  kind: 'polling',
  displayName: 'File changed',
  description: 'Runs when a file or folder is created, changed, moved, shared or moved to the trash.',
  props: {},
  sample: { ...SAMPLE, changedAt: '2026-01-31T09:00:01.000Z' },
  poll: pollChanges((change) => {
    const id = textAt(change, 'fileId');
    return id && `${id} ${textAt(change, 'time') ?? ''}`;
  }),
});
