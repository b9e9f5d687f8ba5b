import { cutText, makeVisible } from '@drawbridge/contracts';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** `new(input: X): Y` would declare a constructor. TypeScript gives the others a meaning of their own before a name. */
const QUOTED = new Set(['new', 'get', 'set', 'readonly', 'constructor', '__proto__']);
const BLANKS = /[\s\p{Cc}]+/gu;
/** Invisible characters, and those that reorder or end lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a text as a string literal of JavaScript and TypeScript, with escapes for characters that are invisible or reorder their neighbours. */
export function toLiteral(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (mark) => mark.split('').map(toEscape).join(''));
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the key of a type literal, quoted unless it is an identifier. */
export function toKey(key: string): string {
  return IDENTIFIER.test(key) && !QUOTED.has(key) ? key : toLiteral(key);
}

/** Returns the access to a member: `.send` or `["my-slack"]`. */
export function toMember(key: string): string {
  return IDENTIFIER.test(key) ? `.${key}` : `[${toLiteral(key)}]`;
}

/** Returns at most `max` characters of a text on one line. Characters that hide or reorder text become visible, as approvers see them. */
export function toLine(text: string, max: number): string {
  // The first cut bounds the work: a text of the provider can be long.
  const line = makeVisible(
    text
      .slice(0, 4 * max)
      .toWellFormed()
      .replace(BLANKS, ' '),
  ).trim();
  return line.length > max ? `${cutText(line, max - 1).trimEnd()}…` : line;
}

/** Returns a JSDoc comment, or '' for an empty text. The text cannot end the comment. */
export function toComment(text: string, max: number): string {
  const line = toLine(text, max).replaceAll('*/', '*\\/');
  return line === '' ? '' : `/** ${line} */`;
}
