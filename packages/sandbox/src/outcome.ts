import type { CodeError } from './code-error.js';
import type { JsonValue } from './json.js';
import type { ConsoleLine } from './messages.js';
import type { PendingCall } from './snapshot.js';

export interface RunReport {
  console: ConsoleLine[];
  /** From the start of the run, or of its resumption, to its end. */
  durationMs: number;
  /** The time that the code computed, before a pause too. */
  cpuMs: number;
  /** The calls of host functions, before a pause too. */
  calls: number;
}

export interface Completed {
  status: 'completed';
  /** The JSON text of the value; undefined if the code returned nothing. */
  json: string | undefined;
  /** Parsed at each read. Parsing a large value blocks the thread of the reader. */
  readonly value: JsonValue | undefined;
}

export type End = Completed | { status: 'failed'; error: CodeError };

/** How a run ended. A paused run has called only functions that answered PAUSE and waits for them. */
export type Outcome = RunReport & (End | { status: 'paused'; snapshot: Uint8Array; pending: PendingCall[] });
