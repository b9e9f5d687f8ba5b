import { createHmac } from 'node:crypto';
import { action, secretText } from '@drawbridge/piece-kit';
import { algorithm, digestEncoding, text } from '../properties.js';

export const hmac = action({
  displayName: 'HMAC',
  description: 'Returns the HMAC of a text (RFC 2104), for example to sign or verify a webhook.',
  category: 'read',
  props: {
    text,
    secret: secretText('Secret', { required: true, description: 'UTF-8 text.', minLength: 1 }),
    algorithm,
    encoding: digestEncoding,
  },
  run: async ({ input }) => ({
    result: createHmac(input.algorithm, input.secret)
      .update(input.text, 'utf8')
      .digest(input.encoding ?? 'hex'),
  }),
});
