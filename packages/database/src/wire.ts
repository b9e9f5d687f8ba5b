/** A row in the form of a message: dates are ISO 8601 strings, and null is absent. */
export type Wire<Row> = { [K in keyof Row]: WireValue<Row[K]> };

type WireValue<T> = T extends Date ? string : T extends null ? undefined : T;

/** Converts a row to a message. The codec drops columns that the message does not declare. */
export function toWire<Row extends object>(row: Row): Wire<Row> {
  const entries = Object.entries(row).map(([key, value]) => [key, wireValue(value)]);
  return Object.fromEntries(entries) as Wire<Row>;
}

function wireValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return value === null ? undefined : value;
}
