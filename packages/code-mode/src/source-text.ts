import { cutText, makeVisible } from '@drawbridge/contracts';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Keys that must be quoted: `new(input: X): Y` would declare a constructor, and TypeScript gives the other words a special meaning before a name. */
const QUOTED = new Set(['new', 'get', 'set', 'readonly', 'constructor', '__proto__']);
const BLANKS = /[\s\p{Cc}]+/gu;
/** Invisible characters, and characters that reorder text or end lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a string as a literal of JavaScript and TypeScript. Characters that are invisible or reorder their neighbors are escaped. */
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

/** Returns the expression that accesses a member: `.send` or `["my-slack"]`. */
export function toMember(key: string): string {
  return IDENTIFIER.test(key) ? `.${key}` : `[${toLiteral(key)}]`;
}

/** Returns at most `max` characters of a string on one line. Characters that hide or reorder text are made visible, as in approval requests. */
export function toLine(text: string, max: number): string {
  // The string is shortened first to limit the work, because a provider's text can be long.
  const line = makeVisible(
    text
      .slice(0, 4 * max)
      .toWellFormed()
      .replace(BLANKS, ' '),
  ).trim();
  return line.length > max ? `${cutText(line, max - 1).trimEnd()}…` : line;
}

/** Returns a JSDoc comment, or '' for an empty string. The string cannot end the comment. */
export function toComment(text: string, max: number): string {
  const line = toLine(text, max).replaceAll('*/', '*\\/');
  return line === '' ? '' : `/** ${line} */`;
}
