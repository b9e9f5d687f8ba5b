import { type JsonValue } from './json.js';
import { type FileValue } from './property-types.js';
import { ProviderError } from './provider-error.js';

/**
 * Runs code of a caller in a sandbox, which determines its limits and its access to the network. Throws CodeFailedError if the code cannot be
 * compiled, throws, or exceeds a limit.
 */
export interface CodeRunner {
  run(request: { code: string; input: JsonValue; signal?: AbortSignal }): Promise<CodeResult>;
}

/** Runs programs of a caller in containers. A program that exits with any code is a result. Throws StateError if the program could not be run. */
export interface ProgramRunner {
  runProgram(request: Program): Promise<ProgramResult>;
}

export const LANGUAGES = ['javascript', 'python', 'shell'] as const;

export interface Program {
  language: (typeof LANGUAGES)[number];
  code: string;
  /** The value that the program receives as JSON on its standard input. */
  input: JsonValue;
  signal?: AbortSignal;
}

export interface ProgramResult {
  stdout: string;
  stderr: string;
  /** Set if output was dropped because it exceeded the limit. */
  truncated: boolean;
  /** Null if a signal ended the program. */
  exitCode: number | null;
  /** The created and changed files. */
  files: FileValue[];
  /** The number of created and changed files that exceed the limits of a result. */
  omittedFiles: number;
  durationMs: number;
}

export interface CodeResult {
  /** Null if the code returns nothing. */
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

/** Thrown if the code failed. The message and the console output come from the code. */
export class CodeFailedError extends ProviderError {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    { code, message, line, column }: CodeFailure,
    /** The console output before the failure. */
    readonly console: readonly ConsoleLine[] = [],
  ) {
    super(line === undefined ? message : `${message} (line ${line}, column ${column})`, { code });
    this.line = line;
    this.column = column;
  }
}
