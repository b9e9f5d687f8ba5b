/** A row as a message carries it: dates as ISO 8601 text, null as absent. */
export type Wire<Row> = { [K in keyof Row]: WireValue<Row[K]> };

type WireValue<T> = T extends Date ? string : T extends null ? undefined : T;

/** The one conversion from a row to a message. Columns that the message does not declare are dropped by the codec. */
export function toWire<Row extends object>(row: Row): Wire<Row> {
  const entries = Object.entries(row).map(([key, value]) => [key, wireValue(value)]);
  return Object.fromEntries(entries) as Wire<Row>;
}

function wireValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return value === null ? undefined : value;
}
