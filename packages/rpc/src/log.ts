import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import { terminalLine } from './terminal-line.js';

export type { Logger };

/** The only keys that a log line may carry. Other keys are dropped, so that no object is logged by accident. */
const ALLOWED = new Set([
  'service',
  'call',
  'requestId',
  'method',
  'route',
  'status',
  'code',
  'durationMs',
  'orgId',
  'keyId',
  'connectionId',
  'executionId',
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
]);

/** Writes synchronously, so that the last line before an exit is printed. */
const TERMINAL: pretty.PrettyOptions = {
  colorize: true,
  translateTime: 'SYS:HH:MM:ss',
  hideObject: true,
  messageFormat: (line, messageKey) => terminalLine(line, messageKey),
  sync: true,
};

/** Creates a logger of JSON lines, or of readable lines on a terminal. */
export function createLogger(service: string, level: string): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    formatters: { level: (label) => ({ level: label }), log: allowed },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return process.stdout.isTTY ? pino(options, pretty(TERMINAL)) : pino(options);
}

function allowed(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([key]) => ALLOWED.has(key)));
}
