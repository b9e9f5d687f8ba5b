import { createHash } from 'node:crypto';
import { action } from '@drawbridge/piece-kit';
import { algorithm, digestEncoding, text } from '../properties.js';

export const hash = action({
  displayName: 'Hash',
  description: 'Returns the hash of a text. Use MD5 and SHA-1 only for old systems, never for security.',
  category: 'read',
  props: { text, algorithm, encoding: digestEncoding },
  run: async ({ input }) => ({
    result: createHash(input.algorithm)
      .update(input.text, 'utf8')
      .digest(input.encoding ?? 'hex'),
  }),
});
