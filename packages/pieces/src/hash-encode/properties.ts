import { longText, staticDropdown } from '@drawbridge/piece-kit';

export const text = longText('Text', { required: true, description: 'UTF-8 text.' });

export const algorithm = staticDropdown('Algorithm', ['md5', 'sha1', 'sha256', 'sha512'], { required: true });

export const digestEncoding = staticDropdown('Encoding', ['hex', 'base64', 'base64url'], {
  description: 'Encoding of the result. Defaults to hex.',
});

export const textEncoding = staticDropdown('Encoding', ['base64', 'base64url', 'hex', 'url'], { required: true });
