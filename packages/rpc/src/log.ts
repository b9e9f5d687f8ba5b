import pino from 'pino';
import pretty from 'pino-pretty';
import { traceId } from './spans.js';

/** The only keys that a log line may contain. Other keys are dropped, so that no object is logged by accident. */
const KEYS = [
  'service',
  'call',
  'requestId',
  'traceId',
  'method',
  'route',
  'status',
  'code',
  'durationMs',
  'orgId',
  'keyId',
  'connectionId',
  'executionId',
  'codeRunId',
  'work',
  'row',
  'sourceId',
  'eventId',
  'eventType',
  'topic',
  'group',
  'count',
  'attempt',
  'error',
  'address',
  'port',
  'origin',
  'target',
  'signal',
  'version',
  'reason',
  'workspaceId',
  'integrationName',
  'mails',
  'stored',
  'skewSeconds',
  'pid',
  'inboundId',
] as const;

const ALLOWED: ReadonlySet<string> = new Set(KEYS);

/** The fields of a log line. Other keys are a type error, because the logger would drop them. */
export type LogFields = { [key in (typeof KEYS)[number]]?: unknown };

interface Write {
  (fields: LogFields, message: string): void;
  (message: string): void;
}

export type Logger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>;

/** Writes synchronously, so that the last line before the process exits is printed. */
const TERMINAL: pretty.PrettyOptions = {
  colorize: true,
  translateTime: 'SYS:HH:MM:ss',
  hideObject: true,
  messageFormat: (line, messageKey) => terminalLine(line, messageKey),
  sync: true,
};

/** Creates a logger that writes JSON lines, or readable lines on a terminal. */
export function createLogger(service: string, level: string): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    formatters: { level: (label) => ({ level: label }), log: allowed },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ traceId: traceId() }),
  };
  return process.stdout.isTTY ? pino(options, pretty(TERMINAL)) : pino(options);
}

function allowed(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([key]) => ALLOWED.has(key)));
}

/** Formats a log line for a terminal: a request as method, route, status and time; any other line as its message and fields. */
export function terminalLine(line: Record<string, unknown>, messageKey = 'msg'): string {
  const message = String(line[messageKey] ?? '');
  const fields = Object.entries(line).filter(
    ([key, value]) => !ALWAYS.has(key) && key !== messageKey && value !== undefined,
  );
  return message === 'request' ? requestLine(line) : [message, ...fields.map(toText)].join('  ') + framesOf(line);
}

/** Fields that are omitted on a terminal, because the prefix of the line displays them or they only identify this process. */
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

/** Returns the stack frames of an error that is logged at the level `error`, which is a bug. For an outage the name of the error is enough. */
function framesOf({ level, error }: Record<string, unknown>): string {
  const frames = (error as { frames?: string } | undefined)?.frames;
  return level === 'error' && frames ? `\n${frames}` : '';
}
