import { shortText } from '@drawbridge/piece-kit';

/** A part of a path that is neither `.` nor `..`. Without a lookahead, which the validators of some MCP clients lack. */
const SEGMENT = '([^./\\u0000-\\u001f]|\\.[^./\\u0000-\\u001f]|\\.\\.[^/\\u0000-\\u001f])[^/\\u0000-\\u001f]*';

/** Not as a file system has it: a path is a key. It begins with no slash, and `..` means nothing in it, so it is refused. */
export const path = shortText('Path', {
  required: true,
  description: 'Such as reports/2026/may.pdf.',
  pattern: `^${SEGMENT}(/${SEGMENT})*$`,
  minLength: 1,
  maxLength: 500,
});
