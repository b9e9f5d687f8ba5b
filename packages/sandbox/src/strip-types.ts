import { createRequire } from 'node:module';
import type * as Library from '@swc/wasm-typescript';
import { type CodeError, FUNCTION_END, FUNCTION_START, toPosition, toSyntaxError } from './code-error.js';

interface SyntaxFailure {
  message: string;
  startLine: number;
  startColumn: number;
}

export type Stripped = { code: string } | { error: CodeError } | { crashed: true };

const MAX_MESSAGE = 1_000;

let library: typeof Library | undefined;

/**
 * Replaces TypeScript types with spaces, so that positions stay the same. Returns `crashed` if the library crashed, for example because the code is
 * nested too deeply. The library cannot be used again in this thread.
 */
export function stripTypes(code: string): Stripped {
  library ??= createRequire(import.meta.url)('@swc/wasm-typescript') as typeof Library;
  try {
    return { code: library.transformSync(code, { mode: 'strip-only', filename: 'code.ts', module: false }).code };
  } catch (failure) {
    return isSyntaxFailure(failure) ? { error: toError(failure) } : { crashed: true };
  }
}

/** Removes the types from the body of a function, so that the result is JavaScript. Returns `crashed` as `stripTypes` does. */
export function stripBody(code: string): Stripped {
  const stripped = stripTypes(`${FUNCTION_START}${code}${FUNCTION_END}`);
  if ('error' in stripped) return { error: toSyntaxError(stripped.error, code) };
  return 'code' in stripped ? { code: stripped.code.slice(FUNCTION_START.length, -FUNCTION_END.length) } : stripped;
}

function isSyntaxFailure(failure: unknown): failure is SyntaxFailure {
  return typeof failure === 'object' && failure !== null && 'startLine' in failure && 'message' in failure;
}

function toError({ message, startLine, startColumn }: SyntaxFailure): CodeError {
  return {
    code: 'SYNTAX_ERROR',
    name: 'SyntaxError',
    message: message.slice(0, MAX_MESSAGE),
    ...toPosition(startLine, startColumn + 1),
  };
}
