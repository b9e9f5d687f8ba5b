/** One line for a person: a request as method, route, status and time; anything else as its message and what belongs to it. */
export function terminalLine(line: Record<string, unknown>, messageKey = 'msg'): string {
  const message = String(line[messageKey] ?? '');
  const fields = Object.entries(line).filter(
    ([key, value]) => !ALWAYS.has(key) && key !== messageKey && value !== undefined,
  );
  return message === 'request' ? requestLine(line) : [message, ...fields.map(toText)].join('  ') + framesOf(line);
}

/** Of every line: they stand before the message, or name this process. */
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

/** Where it happened matters in a fault of ours; an outage says enough by its name. */
function framesOf({ level, error }: Record<string, unknown>): string {
  const frames = (error as { frames?: string } | undefined)?.frames;
  return level === 'error' && frames ? `\n${frames}` : '';
}
