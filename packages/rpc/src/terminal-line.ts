/** Formats a log line for a terminal: a request as method, route, status and time; any other line as its message and fields. */
export function terminalLine(line: Record<string, unknown>, messageKey = 'msg'): string {
  const message = String(line[messageKey] ?? '');
  const fields = Object.entries(line).filter(
    ([key, value]) => !ALWAYS.has(key) && key !== messageKey && value !== undefined,
  );
  return message === 'request' ? requestLine(line) : [message, ...fields.map(toText)].join('  ') + framesOf(line);
}

/** Fields of every line, which the prefix already shows or which identify this process. */
const ALWAYS = new Set(['level', 'time', 'service', 'pid', 'hostname']);

function requestLine({ method, route, status, durationMs, requestId }: Record<string, unknown>): string {
  const line = `${method} ${route === 'none' ? '(no route)' : route} ${status} ${durationMs} ms`;
  return Number(status) < 500 ? line : `${line}  requestId=${requestId}`;
}

function toText([key, value]: [string, unknown]): string {
  if (typeof value !== 'object' || value === null) return `${key}=${value}`;
  const { frames: _below, ...rest } = value as Record<string, unknown>;
  const inner = Object.values(rest).filter((part) => part !== undefined);
  return `${key}=${inner.join(' ')}`;
}

/** Shows stack frames for a bug of ours only; the name of an outage is enough. */
function framesOf({ level, error }: Record<string, unknown>): string {
  const frames = (error as { frames?: string } | undefined)?.frames;
  return level === 'error' && frames ? `\n${frames}` : '';
}
