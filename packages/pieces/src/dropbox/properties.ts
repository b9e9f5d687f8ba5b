import { checkbox, dropdown, number, shortText } from '@drawbridge/piece-kit';
import { folders } from './options.js';

/** Matches what Dropbox accepts as the place of an item: a path, an id, or the namespace of a shared folder. */
const PLACE = '^(/[^\\u0000]*|id:[A-Za-z0-9_-]+|ns:[0-9]+(/[^\\u0000]*)?)$';
const DETAILS = { required: true, pattern: PLACE, maxLength: 4_000 } as const;

export const item = shortText('Path', {
  ...DETAILS,
  description: 'The path of a file or folder, such as /Reports/May.pdf, or its id, such as id:a4ayc_80.',
});
export const file = shortText('File', {
  ...DETAILS,
  description: 'The path of a file, such as /Reports/May.pdf, or its id, such as id:a4ayc_80.',
});
export const target = shortText('New path', {
  ...DETAILS,
  description: 'The new path with the name, such as /Archive/May.pdf.',
});

export const folder = dropdown('Folder', {
  description: 'The path of a folder, such as /Reports. Absent: the whole Dropbox.',
  pattern: '^/.*$',
  maxLength: 4_000,
  options: folders,
});

export const autorename = checkbox('Rename', {
  description: 'Gives the item another name if its name is taken. Defaults to false: the action fails.',
});

export const limit = number('Limit', {
  description: 'Maximum number of items. Defaults to 100.',
  integer: true,
  minimum: 1,
  maximum: 1_000,
});
