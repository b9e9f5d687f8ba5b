import { textAt, trigger } from '@drawbridge/piece-kit';
import { toEntry } from '../item.js';
import { driveId, folderId } from '../properties.js';
import { pollChanges } from './delta.js';
import { sample } from './sample.js';

/** A file that changed several times since the last poll is one event. */
export const fileChanged = trigger({
  kind: 'polling',
  displayName: 'File changed',
  description: 'Runs when a file of a drive or of a folder is created, changed, renamed or moved there.',
  props: { driveId, folderId: folderId.watched },
  sample,
  poll: pollChanges((file) => {
    const [id, version] = [textAt(file, 'id'), textAt(file, 'eTag') ?? textAt(file, 'lastModifiedDateTime')];
    return id && version ? { id: `${id} ${version}`, data: toEntry(file) } : undefined;
  }),
});
