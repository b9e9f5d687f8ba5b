const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const SKIPPED = 64;
export const NOT_BASE64 = 65;

/** The six bits of each base64 character, of both alphabets. Blanks and line breaks are skipped, anything else ends a run. */
export const SIX_BITS = new Uint8Array(256).fill(NOT_BASE64);
for (const [value, character] of [...ALPHABET].entries()) SIX_BITS[character.charCodeAt(0)] = value;
for (const character of '+-') SIX_BITS[character.charCodeAt(0)] = 62;
for (const character of '/_') SIX_BITS[character.charCodeAt(0)] = 63;
for (const character of ' \t\r\n') SIX_BITS[character.charCodeAt(0)] = SKIPPED;
