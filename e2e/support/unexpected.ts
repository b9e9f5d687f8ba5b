const SHOWN = 400;

/** The beginnings of what the processes logged as nobody's fault but their own. */
export function unexpectedErrors(logs: string): string[] {
  const lines = logs.split('\n').filter((line) => line.includes('"unexpected error"'));
  return lines.map((line) => line.slice(0, SHOWN));
}
