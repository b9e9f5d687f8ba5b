import type { CodeError } from './code-error.js';
import type { JsonValue } from './json.js';
import type { ConsoleLine } from './messages.js';
import type { PendingCall } from './snapshot.js';

export interface RunReport {
  console: ConsoleLine[];
  /** The time from the start or resumption of the run to its end. */
  durationMs: number;
  /** The computing time of the code, including the time before a pause. */
  cpuMs: number;
  /** The number of host calls, including calls before a pause. */
  calls: number;
}

export interface Completed {
  status: 'completed';
  /** The value as JSON text. Undefined if the code returned nothing. */
  json: string | undefined;
  /** Parsed at each access. Parsing a large value blocks the current thread. */
  readonly value: JsonValue | undefined;
}

export type End = Completed | { status: 'failed'; error: CodeError };

/** The end of a run. A paused run waits only for functions that returned PAUSE. */
export type Outcome = RunReport & (End | { status: 'paused'; snapshot: Uint8Array; pending: PendingCall[] });
