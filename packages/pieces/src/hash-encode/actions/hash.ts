import { createHash } from 'node:crypto';
import { action } from '@drawbridge/piece-kit';
import { algorithm, digestEncoding, text } from '../properties.js';

export const hash = action({
  displayName: 'Hash',
  description: 'The digest of a text. MD5 and SHA-1 are for old systems, not for security.',
  category: 'read',
  props: { text, algorithm, encoding: digestEncoding },
  run: async ({ input }) => ({
    result: createHash(input.algorithm)
      .update(input.text, 'utf8')
      .digest(input.encoding ?? 'hex'),
  }),
});
