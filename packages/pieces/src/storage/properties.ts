import { shortText } from '@drawbridge/piece-kit';

/** Not as a file system has it: a path is a key. It begins with no slash, and `..` means nothing in it, so it is refused. */
export const path = shortText('Path', {
  required: true,
  description: 'Such as reports/2026/may.pdf.',
  pattern: '^(?!(.*/)?\\.{1,2}(/|$))[^/\\u0000-\\u001f]+(/[^/\\u0000-\\u001f]+)*$',
  minLength: 1,
  maxLength: 500,
});
