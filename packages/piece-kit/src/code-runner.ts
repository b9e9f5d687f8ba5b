import { type JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';

/**
 * Runs code of a caller in a sandbox, which decides about its limits and its access to the network. Throws CodeFailedError if the code cannot be
 * compiled, throws, or exceeds a limit.
 */
export interface CodeRunner {
  run(request: { code: string; input: JsonValue; signal?: AbortSignal }): Promise<CodeResult>;
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
