import { InputError } from '@drawbridge/piece-kit';
import { EMAIL, MAX_EMAIL } from '../google.js';

/** Continues a header on the next line (RFC 5322, section 2.2.3). */
const FOLD = '\r\n ';

const IS_ADDRESS = new RegExp(EMAIL);

/** Returns the header for a list of addresses, or no header if the list is empty. Throws InputError for a string that is not exactly one address. */
export function addressHeader(name: string, addresses: readonly string[] = []): string[] {
  const wrong = addresses.find((address) => address.length > MAX_EMAIL || !IS_ADDRESS.test(address));
  if (wrong !== undefined)
    throw new InputError(name.toLowerCase(), `has an invalid email address: ${wrong.slice(0, 100)}`);
  return addresses.length === 0 ? [] : [`${name}: ${addresses.join(`,${FOLD}`)}`];
}

/**
 * Returns the header for the sender, or no header without an address. Throws InputError for an invalid address, and for a name without an address.
 */
export function senderHeader(address?: string, name?: string): string[] {
  if (name && !address) throw new InputError('fromName', 'needs an address in "from"');
  const [header] = addressHeader('From', address ? [address] : []);
  if (!header || !name) return header ? [header] : [];
  const phrase = /^[A-Za-z0-9 ]{1,60}$/.test(name) ? name : encodedWords(name);
  return [`From: ${phrase}${FOLD}<${address}>`];
}

/** Returns a string in the form that a header may contain. Control characters become spaces, because a line break would start another header. */
export function encodeText(text: string): string {
  const isPlain = /^[\x20-\x7e]{0,60}$/.test(text) && text.trim() === text && !text.includes('=?');
  return isPlain ? text : encodedWords(text);
}

/**
 * The number of bytes of an encoded word: a line has 76 characters, from which the name of the header and 12 delimiters are subtracted, in Base64.
 */
const WORD_BYTES = 39;

/** Encodes a string as words, with one word per line of at most 76 characters (RFC 2047, section 2). A character is never split between two words. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of withoutControls(text)) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(FOLD);
}

/** Maximum number of characters of a value on one line, so that the line with the name of the parameter has at most 78 characters. */
const CHUNK = 50;

/**
 * Returns the parameter of a header. Values that are long or contain other characters are percent-encoded, in several parts if necessary (RFC 2231).
 */
export function parameter(name: string, value: string): string {
  if (/^[A-Za-z0-9 ._-]{1,60}$/.test(value)) return `;${FOLD}${name}="${value}"`;
  const chunks = [''];
  for (const byte of Buffer.from(withoutControls(value))) {
    const character = String.fromCharCode(byte);
    const encoded = /[A-Za-z0-9._-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (chunks.at(-1)!.length + encoded.length > CHUNK) chunks.push('');
    chunks[chunks.length - 1] += encoded;
  }
  const numbered = chunks.map((chunk, index) => `${name}*${index}*=${index === 0 ? "UTF-8''" : ''}${chunk}`);
  return numbered.map((part) => `;${FOLD}${part}`).join('');
}

const withoutControls = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
