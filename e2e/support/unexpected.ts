const SHOWN = 400;

/** Returns the first characters of the log lines about unexpected errors. */
export function unexpectedErrors(logs: string): string[] {
  const lines = logs.split('\n').filter((line) => line.includes('"unexpected error"'));
  return lines.map((line) => line.slice(0, SHOWN));
}
