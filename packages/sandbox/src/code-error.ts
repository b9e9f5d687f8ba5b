export type ErrorCode = 'SYNTAX_ERROR' | 'TIMEOUT' | 'MEMORY_LIMIT' | 'OUTPUT_TOO_LARGE' | 'RUNTIME_ERROR';

/** The reason why a run failed. All strings come from the code, and are shortened. */
export interface CodeError {
  code: ErrorCode;
  message: string;
  /** The name of the error that the code threw. */
  name?: string;
  /** The position in the code, from 1. */
  line?: number;
  column?: number;
}

/** The file name of the code in stack traces. */
export const FILE_NAME = 'code.js';
/** The code becomes the body of this function and starts on the same line, so that only columns of the first line differ. */
export const FUNCTION_START = '(async function (input) {';
export const FUNCTION_END = '\n})';

const MAX_MESSAGE = 1_000;
const MAX_NAME = 100;
const POSITION = /code\.js:(\d{1,9}):(\d{1,9})/;

/** Creates the error for an exception of the code. The code can choose all three strings. */
export function toCodeError({ name, message, stack }: { name: string; message: string; stack: string }): CodeError {
  return {
    code: codeOf(name, message),
    message: message.slice(0, MAX_MESSAGE) || name.slice(0, MAX_NAME) || 'The code threw a value without a message',
    ...(name && { name: name.slice(0, MAX_NAME) }),
    ...positionIn(stack),
  };
}

/** Subtracts the start of the function from a position. Line and column start at 1. */
export function toPosition(line: number, column: number): { line: number; column: number } {
  return { line, column: line === 1 ? Math.max(1, column - FUNCTION_START.length) : column };
}

/** Returns the error for code that cannot be parsed. A position in FUNCTION_END, which is appended to the code, becomes the end of the code. */
export function toSyntaxError(error: CodeError, code: string): CodeError {
  const lines = code.split('\n');
  const isAfter = error.line !== undefined && error.line > lines.length;
  const end = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  return { ...error, code: 'SYNTAX_ERROR', ...(isAfter && end) };
}

function codeOf(name: string, message: string): ErrorCode {
  return name === 'InternalError' && message === 'out of memory' ? 'MEMORY_LIMIT' : 'RUNTIME_ERROR';
}

function positionIn(stack: string): { line?: number; column?: number } {
  const [, line, column] = POSITION.exec(stack) ?? [];
  return line ? toPosition(Number(line), Number(column)) : {};
}

export function timeout(cpuMs: number): CodeError {
  return { code: 'TIMEOUT', message: `The code computed for longer than ${cpuMs} ms` };
}

export function tooMuchParked(): CodeError {
  return { code: 'MEMORY_LIMIT', message: 'The waiting runs of the organization use too much memory' };
}
