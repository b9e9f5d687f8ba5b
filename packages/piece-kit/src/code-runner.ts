import { type JsonValue } from './json.js';
import { type FileValue } from './property-types.js';
import { ProviderError } from './provider-error.js';

/**
 * Runs code of a caller in a sandbox, which decides about its limits and its access to the network. Throws CodeFailedError if the code cannot be
 * compiled, throws, or exceeds a limit.
 */
export interface CodeRunner {
  run(request: { code: string; input: JsonValue; signal?: AbortSignal }): Promise<CodeResult>;
}

/** Runs programs in containers, like CodeRunner. Any exit code is a result. Throws StateError if the program could not be run. */
export interface ProgramRunner {
  runProgram(request: Program): Promise<ProgramResult>;
}

export const LANGUAGES = ['javascript', 'python', 'shell'] as const;

export interface Program {
  language: (typeof LANGUAGES)[number];
  code: string;
  /** The program finds it on its standard input, as JSON. */
  input: JsonValue;
  signal?: AbortSignal;
}

export interface ProgramResult {
  stdout: string;
  stderr: string;
  /** Output beyond the limit was dropped. */
  truncated: boolean;
  /** null if a signal ended the program. */
  exitCode: number | null;
  /** Created and changed files. */
  files: FileValue[];
  /** Created and changed files that do not fit into a result. */
  omittedFiles: number;
  durationMs: number;
}

export interface CodeResult {
  /** null if the code returns nothing. */
  value: JsonValue;
  console: ConsoleLine[];
  durationMs: number;
}

export interface ConsoleLine {
  level: string;
  text: string;
}

export interface CodeFailure {
  code: string;
  message: string;
  /** The position in the code, from 1. */
  line?: number;
  column?: number;
}

/** The code failed. The texts come from the code. */
export class CodeFailedError extends ProviderError {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    { code, message, line, column }: CodeFailure,
    /** The output before the failure. */
    readonly console: readonly ConsoleLine[] = [],
  ) {
    super(line === undefined ? message : `${message} (line ${line}, column ${column})`, { code });
    this.line = line;
    this.column = column;
  }
}
