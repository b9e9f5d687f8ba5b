import type { CodeError } from './code-error.js';
import type { HostFunction } from './host-calls.js';
import type { JsonValue } from './json.js';
import type { Limits } from './limits.js';
import type { ConsoleLine, Used } from './messages.js';
import type { PendingCall } from './snapshot.js';
import type { VmImage } from './vm.js';

export interface ResumeRequest {
  /**
   * The functions that the code can call. A name with dots is a function of nested objects; `svc.*` is every name below `svc`. `fetch` receives a URL
   * and its options, and returns `{status, statusText, headers, body}` with lower-case header names. The code receives an object like a Response.
   */
  functions?: Readonly<Record<string, HostFunction>>;
  limits?: Partial<Limits>;
  /** Receives each console line immediately. */
  onConsole?(line: ConsoleLine): void;
  signal?: AbortSignal;
  /** The clock that the code reads. It is read at the start of the run and at each result of a host function, and does not advance in between. */
  now?: () => number;
}

export interface RunRequest extends ResumeRequest {
  /** JavaScript or TypeScript: the body of an async function with the parameter `input`. */
  code: string;
  input?: JsonValue;
}

/** A request with defaults applied. */
export interface RunOptions {
  organization: string;
  caller: string;
  functions: Readonly<Record<string, HostFunction>>;
  limits: Limits;
  now: () => number;
  onConsole?: (line: ConsoleLine) => void;
  engine: string;
}

/** A run starts with code, or with the VM of a paused run. */
export type Source = { code: string; input: string } | { image: VmImage; used: Used; pending: readonly PendingCall[] };

export interface RunReport {
  console: ConsoleLine[];
  /** The time from the start or resumption of the run to its end. */
  durationMs: number;
  /** The computing time of the code, including the time before a pause. */
  cpuMs: number;
  /** The number of host calls, including calls before a pause. */
  calls: number;
}

/** The end of a run. A paused run waits only for functions that returned PAUSE. */
export type Outcome = RunReport &
  (
    | {
        status: 'completed';
        /** The value as JSON text. Undefined if the code returned nothing. */
        json: string | undefined;
        /** Parsed at each access. Parsing a large value blocks the current thread. */
        readonly value: JsonValue | undefined;
      }
    | { status: 'failed'; error: CodeError }
    | { status: 'paused'; snapshot: Uint8Array; pending: PendingCall[] }
  );
