// Checks for values that are not type-checked.

/** Returns the problem unless the condition is true. */
export const unless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
export const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
export const isOneOf = (value: unknown, known: readonly string[]): boolean => isText(value) && known.includes(value);

export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isFunctionOrAbsent = (value: unknown): boolean => ['undefined', 'function'].includes(typeof value);
