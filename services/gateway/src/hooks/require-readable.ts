import { invalid } from '@drawbridge/contracts';
import { requireParsable } from '../http/parse-json.js';

/** Well above real events: a push of 2,048 commits holds 60,000 values. */
export const MOST = { values: 200_000, members: 80_000, levels: 64, controls: 500_000 };

const JSON_TYPE = /^application\/(.+\+)?json$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Bodies of these types are read as text, and encoded as JSON. */
const TEXT_TYPE = /^text\/|[/+](json|xml|javascript|yaml|x-www-form-urlencoded)$/;
const AMPERSAND = 0x26;
const OPEN_OBJECT = 0x7b;
/** White space of JSON (RFC 8259, 2). */
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const SPACE = 0x20;
/** Control characters with a two-byte escape in JSON: backspace, tab, line feed, form feed, carriage return. */
const SHORT = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/**
 * Limits the content of a body by its media type, because the cost of reading it grows with its values more than with its bytes. Throws
 * VALIDATION_ERROR.
 */
export function requireReadable(contentType: string, body: Uint8Array): void {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (JSON_TYPE.test(type) || (type === '' && isObject(body))) requireParsable(body, MOST);
  if (type === FORM_TYPE) requireFewFields(body);
  if (TEXT_TYPE.test(type)) requireFewControls(body);
}

/** A body without a type is read as JSON when it begins like an object. */
function isObject(body: Uint8Array): boolean {
  return body.find((byte) => !SPACES.has(byte)) === OPEN_OBJECT;
}

/** JSON needs six bytes for each control character, except for the few with a short escape. */
function requireFewControls(body: Uint8Array): void {
  if (body.length <= MOST.controls) return;
  let controls = 0;
  for (const byte of body) if (byte < SPACE && !SHORT.has(byte)) controls++;
  if (controls > MOST.controls) throw invalid({ body: `must not hold more than ${MOST.controls} control characters` });
}

function requireFewFields(body: Uint8Array): void {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) fields++;
  if (fields > MOST.members) throw invalid({ body: `must not hold more than ${MOST.members} fields` });
}
