import { property, type PropertyDetails } from './property.js';
import type { JsonSchema } from './json.js';

export interface TextDetails extends PropertyDetails {
  minLength?: number;
  maxLength?: number;
  /** An ECMAScript regular expression. Add the anchors yourself. */
  pattern?: string;
}

const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?';
const ZONE = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';

export function shortText<const D extends TextDetails = {}>(displayName: string, details?: D) {
  return property<string, D>(displayName, details, { type: 'SHORT_TEXT', schema: textSchema(details) });
}

/** Text of any number of lines. */
export function longText<const D extends TextDetails = {}>(displayName: string, details?: D) {
  return property<string, D>(displayName, details, { type: 'LONG_TEXT', schema: textSchema(details) });
}

/** Text that forms mask and logs leave out. */
export function secretText<const D extends TextDetails = {}>(displayName: string, details?: D) {
  const schema: JsonSchema = { ...textSchema(details), writeOnly: true };
  return property<string, D>(displayName, details, { type: 'SECRET_TEXT', schema });
}

/** A time as an ISO 8601 string with a zone. Uses a pattern, because validators need a plugin for `format`. */
export function dateTime<const D extends PropertyDetails = {}>(displayName: string, details?: D) {
  const schema = textSchema({ pattern: `^${DAY}T${TIME}${ZONE}$` });
  return property<string, D>(displayName, details, { type: 'DATE_TIME', schema });
}

export function textSchema({ minLength, maxLength, pattern }: TextDetails = {}): JsonSchema {
  return {
    type: 'string',
    ...(minLength && { minLength }),
    ...(maxLength && { maxLength }),
    ...(pattern && { pattern }),
  };
}
