import { property, type Details, type Property } from './property.js';

export interface TextDetails<Required extends boolean> extends Details<Required> {
  minLength?: number;
  maxLength?: number;
  /** An ECMAScript regular expression, anchored by its author. */
  pattern?: string;
}

const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?';
const ZONE = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';

/** One line of text. */
export function shortText<R extends boolean = false>(displayName: string, details: TextDetails<R> = {}) {
  return text('SHORT_TEXT', displayName, details);
}

/** Text of any number of lines. */
export function longText<R extends boolean = false>(displayName: string, details: TextDetails<R> = {}) {
  return text('LONG_TEXT', displayName, details);
}

/** Text that forms mask and logs leave out. */
export function secretText<R extends boolean = false>(displayName: string, details: TextDetails<R> = {}) {
  return text('SECRET_TEXT', displayName, details);
}

/** A moment as an ISO 8601 string with its zone. A pattern and no `format`: it holds in any validator without a plugin. */
export function dateTime<R extends boolean = false>(displayName: string, details: Details<R> = {}) {
  return text('DATE_TIME', displayName, { ...details, pattern: `^${DAY}T${TIME}${ZONE}$` });
}

function text<R extends boolean>(
  type: 'SHORT_TEXT' | 'LONG_TEXT' | 'SECRET_TEXT' | 'DATE_TIME',
  displayName: string,
  { minLength, maxLength, pattern, ...details }: TextDetails<R>,
): Property<string, R> {
  const limits = { ...(minLength && { minLength }), ...(maxLength && { maxLength }), ...(pattern && { pattern }) };
  const schema = { type: 'string', ...(type === 'SECRET_TEXT' && { writeOnly: true }), ...limits } as const;
  return property(displayName, details, { type, schema });
}
