import { shortText } from '@drawbridge/piece-kit';

/** Matches a path segment other than `.` and `..`, without lookaheads, which the validators of some MCP clients do not support. */
const SEGMENT = '([^./\\u0000-\\u001f]|\\.[^./\\u0000-\\u001f]|\\.\\.[^/\\u0000-\\u001f])[^/\\u0000-\\u001f]*';

/** A path is a key, not a file system path. It has no leading slash, and `..` is rejected because it has no meaning. */
export const path = shortText('Path', {
  required: true,
  description: 'Such as reports/2026/may.pdf.',
  pattern: `^${SEGMENT}(/${SEGMENT})*$`,
  minLength: 1,
  maxLength: 500,
});
