import { checkbox, dropdown, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { folders } from './options.js';

/** Matches the locations that Dropbox accepts for an item: a path, an id, or the namespace of a shared folder. */
const PLACE = '^(/[^\\u0000]*|id:[A-Za-z0-9_-]+|ns:[0-9]+(/[^\\u0000]*)?)$';
const DETAILS = { required: true, pattern: PLACE, maxLength: 4_000 } as const;

export const item = shortText('Path', {
  ...DETAILS,
  description: 'A path, such as /Reports/May.pdf, or an id (id:…).',
});
export const file = shortText('File', {
  ...DETAILS,
  description: 'A path, such as /Reports/May.pdf, or an id (id:…).',
});
export const target = shortText('New path', {
  ...DETAILS,
  description: 'New path with the name, such as /Archive/May.pdf.',
});

export const folder = dropdown('Folder', {
  description: 'A path, such as /Reports. Defaults to the whole Dropbox.',
  pattern: '^/.*$',
  maxLength: 4_000,
  options: folders,
});

export const autorename = checkbox('Rename', {
  description: 'Renames the item if its name is taken. Defaults to false: the action fails.',
});

export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });
