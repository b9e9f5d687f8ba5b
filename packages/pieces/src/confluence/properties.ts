import { dropdown, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { spaces } from './options.js';

export const ID = '^[0-9]{1,20}$';

export const page = shortText('Page', {
  required: true,
  description: 'The number in its URL.',
  pattern: ID,
});

export const space = dropdown('Space', {
  required: true,
  description: 'The id of a space.',
  pattern: ID,
  options: spaces,
});
export const onlySpace = dropdown('Space', {
  description: 'Only this space. Absent: all.',
  pattern: ID,
  options: spaces,
});

const TITLE = { minLength: 1, maxLength: 255 } as const;
export const title = shortText('Title', {
  ...TITLE,
  required: true,
  description: 'The title. It is unique in a space.',
});
export const newTitle = shortText('Title', { ...TITLE, description: 'The new title. Absent: it stays.' });

const TEXT = { description: 'In the given format.', maxLength: 400_000 } as const;
export const text = longText('Text', { ...TEXT, required: true, minLength: 1 });
export const newText = longText('Text', TEXT);
export const format = staticDropdown('Format', ['markdown', 'storage'], {
  description: 'Markdown, or XHTML in storage format. Defaults to markdown.',
});
export const message = shortText('Version message', { description: 'A comment on the change.', maxLength: 255 });

export const limit = itemLimit({ defaultsTo: 25, maximum: 500 });

/** The maximum page size of most lists. */
export const PAGE = 100;
