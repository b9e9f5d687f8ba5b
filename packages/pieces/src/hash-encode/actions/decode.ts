import { action, InputError } from '@drawbridge/piece-kit';
import { text, textEncoding } from '../properties.js';

const FORM = {
  base64: /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2,3}={0,2})?$/,
  base64url: /^([\w-]{4})*([\w-]{2,3}={0,2})?$/,
  hex: /^([0-9a-fA-F]{2})*$/,
};

export const decode = action({
  displayName: 'Decode',
  description: 'Returns the decoded text of a Base64, hexadecimal or URL-encoded text.',
  category: 'read',
  props: { text, encoding: textEncoding },
  run: async ({ input: { text, encoding } }) => {
    try {
      return { result: encoding === 'url' ? decodeURIComponent(text) : decodeBytes(text, encoding) };
    } catch {
      throw new InputError('text', `is not UTF-8 text encoded as ${encoding}`);
    }
  },
});

/** Throws for characters that Buffer would ignore. */
function decodeBytes(text: string, encoding: keyof typeof FORM): string {
  if (!FORM[encoding].test(text)) throw new Error(`Not ${encoding}`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, encoding));
}
