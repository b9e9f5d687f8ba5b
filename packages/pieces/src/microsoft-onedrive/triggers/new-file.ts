import { textAt, trigger } from '@drawbridge/piece-kit';
import { toEntry } from '../item.js';
import { driveId, folderId } from '../properties.js';
import { pollChanges } from './delta.js';
import { sample } from './sample.js';

/** Changes appear with a delay, and uploading a large file takes time. A file that is found again has the same id and is dropped. */
const MARGIN_MS = 3_600_000;

export const newFile = trigger({
  kind: 'polling',
  displayName: 'New file',
  description: 'Runs when a file is created in a drive or in a folder.',
  props: { driveId, folderId: folderId.watched },
  sample,
  poll: pollChanges((file, since) => {
    const [id, created] = [textAt(file, 'id'), Date.parse(textAt(file, 'createdDateTime') ?? '')];
    return id && created >= since - MARGIN_MS ? { id, data: toEntry(file) } : undefined;
  }),
});
