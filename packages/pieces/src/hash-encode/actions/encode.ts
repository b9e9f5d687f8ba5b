import { action } from '@drawbridge/piece-kit';
import { text, textEncoding } from '../properties.js';

export const encode = action({
  displayName: 'Encode',
  description: 'Returns a text encoded as Base64, as hexadecimal or for a URL.',
  category: 'read',
  props: { text, encoding: textEncoding },
  run: async ({ input }) => {
    const bytes = Buffer.from(input.text, 'utf8');
    // Encoding to bytes and back replaces unpaired surrogates, for which encodeURIComponent would throw.
    return { result: input.encoding === 'url' ? encodeURIComponent(bytes.toString()) : bytes.toString(input.encoding) };
  },
});
