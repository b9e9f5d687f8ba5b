import { createHmac } from 'node:crypto';
import { action, secretText } from '@drawbridge/piece-kit';
import { algorithm, digestEncoding, text } from '../properties.js';

export const hmac = action({
  displayName: 'HMAC',
  description: 'The keyed digest of a text (RFC 2104), as webhooks are signed.',
  category: 'read',
  props: {
    text,
    secret: secretText('Secret', { required: true, description: 'Taken as UTF-8.', minLength: 1 }),
    algorithm,
    encoding: digestEncoding,
  },
  run: async ({ input }) => ({
    result: createHmac(input.algorithm, input.secret)
      .update(input.text, 'utf8')
      .digest(input.encoding ?? 'hex'),
  }),
});
