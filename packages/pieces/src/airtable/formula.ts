/** Returns a text literal of a formula: https://support.airtable.com/docs/formula-field-reference */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Returns the reference to a field. */
export const fieldRef = (name: string): string => `{${name.replaceAll('}', '\\}')}}`;

const timeOf = (time: Date): string => `DATETIME_PARSE('${time.toISOString()}')`;

/** Returns the condition that a time is in the second of `since` or later. Whole seconds are compared, because formulas may ignore fractions. */
export function isSince(operand: string, since: Date): string {
  const second = new Date(Math.floor(since.getTime() / 1_000) * 1_000);
  return `NOT(IS_BEFORE(${operand}, ${timeOf(second)}))`;
}

export const isBefore = (operand: string, until: Date): string => `IS_BEFORE(${operand}, ${timeOf(until)})`;

/** Returns the conjunction of the conditions that are present. */
export function allOf(...conditions: (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined && condition.trim() !== '');
  return given.length > 1 ? `AND(${given.join(', ')})` : given[0];
}
