/**
 * A message as JSON text, with what is JSON text already under its key: a list of hundreds that hold 16 kB each, parsed and printed again,
 * would hold the process for most of a second.
 */
export function textOf(message: object, json: Record<string, string>): string {
  const text = JSON.stringify(message, (_key, value: unknown) => value ?? null);
  const rest = Object.entries(json).map(([key, value]) => `,${JSON.stringify(key)}:${value}`);
  return `${text.slice(0, -1)}${rest.join('')}}`;
}
